use leptos::{prelude::*, server_fn::codec::Json};
use wire::{
    audit::{AuditFilter, AuditRow},
    page::{Page, Paging},
};

use super::error::Refusal;

#[server(prefix = "/fn", endpoint = "audit/list", input = Json)]
pub async fn list(filter: AuditFilter, paging: Paging) -> Result<Page<AuditRow>, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::audit::list(&engine, &actor, filter, paging).await?)
}
