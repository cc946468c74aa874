use futures::stream::BoxStream;
use wire::audit::{AuditFilter, AuditRow};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// All rows that a filter finds, newest first. The stream reads page by page and holds no connection between pages.
///
/// # Errors
/// When the actor may not manage members; a row of the stream is an error when the database does not answer.
pub async fn export(
    engine: &Engine,
    actor: &Actor,
    filter: AuditFilter,
) -> Result<BoxStream<'static, Result<AuditRow>>> {
    let _ = (engine, actor, filter);
    todo!()
}
