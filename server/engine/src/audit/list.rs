use wire::audit::{AuditFilter, AuditRow};
use wire::page::{Page, Paging};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// One page of the organisation's audit log, newest first.
///
/// # Errors
/// When the actor may not manage members, or a cursor is not one of ours.
pub async fn list(engine: &Engine, actor: &Actor, filter: AuditFilter, paging: Paging) -> Result<Page<AuditRow>> {
    let _ = (engine, actor, filter, paging);
    todo!()
}
