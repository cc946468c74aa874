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

/// Where the turn can be seen: its record's page with the chat open at it.
#[server(prefix = "/fn", endpoint = "audit/turn_address", input = Json)]
pub async fn turn_address(id: uuid::Uuid) -> Result<String, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    let turn = engine::turn::get(&engine, &actor, id).await?;
    let chat = engine::chat::open(&engine, &actor, turn.chat_id, None).await?.chat;
    let project = engine::project::get(&engine, &actor, chat.project_id).await?;
    let page = match chat.record_id {
        Some(record) => {
            let record = engine::record::get(&engine, &actor, record).await?;
            crate::routes::record_href(&project.slug, record.kind, &record.slug)
        }
        None => crate::routes::project_href(&project.slug),
    };
    Ok(format!("{page}?chat={}#turn-{}", chat.id, turn.id))
}
