use uuid::Uuid;
use wire::page::{Page, Paging};
use wire::record::{Record, RecordFilter};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// Records of a project, those changed last first.
///
/// # Errors
/// When the project is not there, or a cursor is not one of ours.
pub async fn list(
    engine: &Engine,
    actor: &Actor,
    project_id: Uuid,
    filter: RecordFilter,
    paging: Paging,
) -> Result<Page<Record>> {
    let _ = (engine, actor, project_id, filter, paging);
    todo!()
}
