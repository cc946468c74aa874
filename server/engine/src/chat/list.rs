use time::OffsetDateTime;
use uuid::Uuid;
use wire::access::Scope;
use wire::chat::ChatLine;
use wire::page::{Page, Paging};

use crate::Engine;
use crate::access::{Actor, Target, may};
use crate::error::{Error, Result};
use crate::store::chat::{self, Wanted};

/// The actor's own chats of a project, most lately active first; with `record` those anchored there, with `ended` the ended ones too.
///
/// # Errors
/// When the project or the record is not the actor's to see, or the cursor is not one of ours.
pub async fn list(
    engine: &Engine,
    actor: &Actor,
    project_id: Uuid,
    record: Option<Uuid>,
    ended: bool,
    paging: Paging,
) -> Result<Page<ChatLine>> {
    let mut connection = engine.pool().acquire().await?;
    let organisation_id =
        chat::project_organisation(&mut connection, project_id).await?.ok_or(Error::NotFound("The project"))?;
    may(actor, Scope::RecordsRead, Target::Organisation { id: organisation_id, what: "The project" })?;
    let record_id = match record {
        Some(id) => Some(chat::anchor(&mut connection, project_id, id).await?.ok_or(Error::NotFound("The record"))?),
        None => None,
    };
    let before = paging.before.as_deref().map(parse).transpose()?;
    let wanted = Wanted { organisation_id, project_id, owner_id: Some(actor.person_id), record_id, ended };
    let mut lines = chat::lines(&mut connection, &wanted, before, paging.rows() + 1).await?;
    let more = i64::try_from(lines.len()).unwrap_or(0) > paging.rows();
    if more {
        lines.pop();
    }
    let before = lines
        .last()
        .filter(|_| more)
        .map(|(line, active_at)| format!("{}_{}", active_at.unix_timestamp_nanos() / 1_000, line.chat.id));
    Ok(Page { items: lines.into_iter().map(|(line, _)| line).collect(), before, after: None })
}

fn parse(cursor: &str) -> Result<(OffsetDateTime, Uuid)> {
    let read = || {
        let (micros, id) = cursor.split_once('_')?;
        let at = OffsetDateTime::from_unix_timestamp_nanos(micros.parse::<i128>().ok()?.checked_mul(1_000)?).ok()?;
        Some((at, id.parse().ok()?))
    };
    read().ok_or_else(|| {
        Error::invalid("cursor", "This `before` is not a cursor of this list. Use the one that the list gave.")
    })
}
