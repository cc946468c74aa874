use uuid::Uuid;
use wire::access::Scope;
use wire::page::{Page, Paging};
use wire::record::{Record, RecordFilter, RecordKind};

use super::find;
use super::search::Search;
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::paging::{self, Wanted};
use crate::store;

/// Records of a project, those changed last first.
///
/// # Errors
/// When the project or the parent is not there, the status is none, or a cursor is not one of ours.
pub async fn list(
    engine: &Engine,
    actor: &Actor,
    project_id: Uuid,
    filter: RecordFilter,
    paging: Paging,
) -> Result<Page<Record>> {
    let mut connection = engine.pool().acquire().await?;
    find::project(&mut connection, actor, project_id, Scope::RecordsRead).await?;
    if let Some(parent) = filter.parent {
        find::readable(&mut connection, actor, parent).await?;
    }
    if let Some(status) = filter.status.as_deref() {
        known(filter.kind, status)?;
    }
    let wanted = paging::wanted(&paging)?;
    let search = filter.q.as_deref().and_then(Search::read);
    let rows = store::record::Wanted {
        project_id,
        kind: filter.kind,
        status: filter.status.as_deref(),
        parent_id: filter.parent,
        web: search.as_ref().map(|search| search.typed.as_str()),
        prefix: search.as_ref().filter(|search| !search.exact).and_then(|search| search.prefix.as_deref()),
    };
    let limit = paging.rows() + 1;
    let read = match wanted {
        Wanted::Newest => store::record::older(&mut connection, &rows, None, limit).await?,
        Wanted::Before(place) => store::record::older(&mut connection, &rows, Some(place), limit).await?,
        Wanted::After(place) => store::record::newer(&mut connection, &rows, place, limit).await?,
    };
    Ok(paging::page(read, paging.rows(), &wanted, |record| (record.updated_at, record.id)))
}

fn known(kind: Option<RecordKind>, status: &str) -> Result<()> {
    let kinds: Vec<RecordKind> = kind.map_or(RecordKind::ALL.to_vec(), |kind| vec![kind]);
    if kinds.iter().any(|kind| kind.statuses().contains(&status)) {
        return Ok(());
    }
    let all: Vec<String> =
        kinds.iter().map(|kind| format!("of a {}: {}", kind.name(), kind.statuses().join(", "))).collect();
    Err(Error::invalid("status", format!("There is no such status. Those {}.", all.join("; "))))
}
