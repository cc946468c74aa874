use wire::access::Scope;
use wire::audit::{AuditFilter, AuditRow};
use wire::page::{Page, Paging};

use crate::access::{Actor, Target, may};
use crate::error::Result;
use crate::paging::{self, Wanted};
use crate::text::storable;
use crate::{Engine, store};

/// One page of the organisation's audit log, newest first.
///
/// # Errors
/// When the actor may not manage members, or a cursor is not one of ours.
pub async fn list(engine: &Engine, actor: &Actor, filter: AuditFilter, paging: Paging) -> Result<Page<AuditRow>> {
    may_read(actor)?;
    let filter = cleaned(filter);
    let wanted = paging::wanted(&paging)?;
    let limit = paging.rows() + 1;
    let mut connection = engine.pool().acquire().await?;
    let organisation_id = actor.organisation_id;
    let read = match wanted {
        Wanted::Newest => store::audit::before(&mut connection, organisation_id, &filter, i64::MAX, limit).await?,
        Wanted::Before(id) => store::audit::before(&mut connection, organisation_id, &filter, id, limit).await?,
        Wanted::After(id) => store::audit::after(&mut connection, organisation_id, &filter, id, limit).await?,
    };
    Ok(paging::page(read, paging.rows(), &wanted, |row| row.id))
}

/// The log is for those who answer for the members.
pub(super) fn may_read(actor: &Actor) -> Result<()> {
    may(actor, Scope::MembersManage, Target::Organisation { id: actor.organisation_id, what: "The audit log" })
}

/// A filter as the database can be asked: without blanks around, and an empty action is none.
pub(super) fn cleaned(mut filter: AuditFilter) -> AuditFilter {
    filter.action =
        filter.action.map(|action| storable(action.trim()).into_owned()).filter(|action| !action.is_empty());
    filter
}
