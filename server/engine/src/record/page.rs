use wire::record::{RecordKind, RecordPage};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// All that a record's page shows first.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such project or the project no such record.
pub async fn page(
    engine: &Engine,
    actor: &Actor,
    project_slug: &str,
    kind: RecordKind,
    slug: &str,
) -> Result<RecordPage> {
    let _ = (engine, actor, project_slug, kind, slug);
    todo!()
}
