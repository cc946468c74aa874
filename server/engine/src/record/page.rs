use wire::access::Scope;
use wire::record::{RecordKind, RecordPage};

use crate::Engine;
use crate::access::{Actor, Target, may};
use crate::error::{Error, Result};
use crate::store;

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
    may(actor, Scope::RecordsRead, Target::Organisation { id: actor.organisation_id, what: "The record" })?;
    let mut connection = engine.pool().acquire().await?;
    let project = store::project::by_slug(&mut connection, actor.organisation_id, project_slug).await?;
    let project = project.ok_or(Error::NotFound("The project"))?;
    let record = store::record::by_slug(&mut connection, project.id, kind, slug).await?;
    let record = record.ok_or(Error::NotFound("The record"))?;
    let ancestors = match kind {
        RecordKind::Initiative => Vec::new(),
        RecordKind::Plan | RecordKind::Bug => store::record::ancestors(&mut connection, record.id).await?,
    };
    let children = match kind {
        RecordKind::Initiative | RecordKind::Plan => store::record::children(&mut connection, record.id).await?,
        RecordKind::Bug => Vec::new(),
    };
    let bugs = match kind {
        RecordKind::Initiative => store::record::grandchildren(&mut connection, record.id).await?,
        RecordKind::Plan => children.clone(),
        RecordKind::Bug => Vec::new(),
    };
    // numbers have no gaps, so the newest is the count
    let versions = i64::from(record.version);
    Ok(RecordPage { project, record, ancestors, children, bugs, versions })
}
