use uuid::Uuid;
use wire::record::Saved;
use wire::version::Revert;

use super::{Content, Hand, MergedContent, SaveOutcome, amend, aside, find, text, valid, write};
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store;

/// Takes back what one version changed, whole or by hunks, from the record as it is now. What others changed since stays; where both
/// touch the same lines nothing is written.
///
/// # Errors
/// When the actor may not manage the kind, there is no such version, or it has no such hunk.
pub async fn revert(engine: &Engine, actor: &Actor, id: Uuid, revert: Revert) -> Result<SaveOutcome> {
    let mut tx = engine.begin().await?;
    let stored = find::writable(&mut tx, actor, id).await?;
    let current = amend::content_of(&stored.record);
    let after = store::version::content(&mut tx, id, revert.version).await?.ok_or(Error::NotFound("The version"))?;
    let before = match revert.version {
        // before the first there was no text
        1 => Content { body: String::new(), ..after.clone() },
        number => store::version::content(&mut tx, id, number - 1).await?.ok_or(Error::NotFound("The version"))?,
    };
    let merged = match revert.hunks {
        None => amend::merged(&after, &current, &before).await,
        Some(hunks) => {
            let (old, new, now) = (before.body.clone(), after.body.clone(), current.body.clone());
            let done = aside(old.len() + new.len() + now.len(), move || text::revert(&old, &new, &now, Some(&hunks)));
            let done = done.await.map_err(|error| Error::invalid("no_such_hunk", capitalised(&error.to_string())))?;
            let conflicts = if done.clean { Vec::new() } else { vec!["body"] };
            MergedContent { content: Content { body: done.text, ..current.clone() }, conflicts }
        }
    };
    let current_version = stored.record.version;
    if !merged.is_clean() {
        return Ok(SaveOutcome::Conflict(Box::new(amend::conflict(after, current, before, merged, current_version))));
    }
    if merged.content == current {
        return Ok(SaveOutcome::Saved(Saved { record: stored.record, merged: false }));
    }
    let content = valid::content(stored.record.kind, merged.content)?;
    let was_merged = revert.version != current_version;
    let (record, _) = write::next(&mut tx, actor, stored, content, Hand::Restore).await?;
    tx.commit().await?;
    Ok(SaveOutcome::Saved(Saved { record, merged: was_merged }))
}

/// A sentence.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
