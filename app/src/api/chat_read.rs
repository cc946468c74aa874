//! What the drawer's server functions read of the engine, on the server only.

use std::collections::HashSet;

use engine::{Engine, access::Actor};
use uuid::Uuid;
use wire::{
    chat::{ChatLine, ReadModel},
    message::Message,
    page::Paging,
    record::{RecordKind, RecordPage},
    turn::Turn,
};

use super::chat::{Opened, Subject};
use super::error::Refusal;

/// The record whose chats stand beside the page: a bug's plan, else the record itself.
pub fn subject(page: RecordPage) -> Subject {
    let plan = page.ancestors.iter().rev().find(|line| line.kind == RecordKind::Plan);
    match (page.record.kind, plan) {
        (RecordKind::Bug, Some(plan)) => Subject {
            project_id: page.project.id,
            project: page.project.slug,
            record_id: plan.id,
            kind: plan.kind,
            title: plan.title.clone(),
            bug: Some(page.record.title),
        },
        _ => Subject {
            project_id: page.project.id,
            project: page.project.slug,
            record_id: page.record.id,
            kind: page.record.kind,
            title: page.record.title,
            bug: None,
        },
    }
}

/// The person's own open chats of a record, latest first.
pub async fn lines(engine: &Engine, actor: &Actor, project: Uuid, record: Uuid) -> Result<Vec<ChatLine>, Refusal> {
    let page = engine::chat::list(
        engine,
        actor,
        project,
        Some(record),
        false,
        Paging { limit: Some(200), ..Paging::default() },
    )
    .await?;
    let mut lines: Vec<ChatLine> =
        page.items.into_iter().filter(|line| line.chat.owner.id == actor.person_id).collect();
    lines
        .sort_by_key(|line| std::cmp::Reverse(line.last.as_ref().map_or(line.chat.created_at, |last| last.created_at)));
    Ok(lines)
}

/// The view with what is known of its turns.
pub async fn opened(engine: &Engine, actor: &Actor, model: ReadModel) -> Result<Opened, Refusal> {
    let turns = turns(engine, actor, &model.messages).await?;
    let banners = engine::chat::banners(engine, actor, model.chat.id).await?;
    let project = engine::project::get(engine, actor, model.chat.project_id).await?.slug;
    let own = model.chat.owner.id == actor.person_id;
    Ok(Opened { model, turns, banners, project, own })
}

/// The turns that these messages came from.
pub async fn turns(engine: &Engine, actor: &Actor, messages: &[Message]) -> Result<Vec<Turn>, Refusal> {
    let ids: HashSet<Uuid> = messages.iter().filter_map(|message| message.turn_id).collect();
    let mut turns = Vec::with_capacity(ids.len());
    for id in ids {
        turns.push(engine::turn::get(engine, actor, id).await?);
    }
    Ok(turns)
}
