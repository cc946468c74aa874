use uuid::Uuid;
use wire::access::Scope;
use wire::page::{Page, Paging};
use wire::version::{Version, VersionDiff};

use super::{Content, aside, find, text};
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::paging::{self, Wanted};
use crate::store;

/// The versions of a record, newest first.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such record.
pub async fn versions(engine: &Engine, actor: &Actor, id: Uuid, paging: Paging) -> Result<Page<Version>> {
    let mut connection = engine.pool().acquire().await?;
    find::readable(&mut connection, actor, id).await?;
    let wanted = paging::wanted(&paging)?;
    let limit = paging.rows() + 1;
    let read = match wanted {
        Wanted::Newest => store::version::before(&mut connection, id, reader(actor), i32::MAX, limit).await?,
        Wanted::Before(number) => store::version::before(&mut connection, id, reader(actor), number, limit).await?,
        Wanted::After(number) => store::version::after(&mut connection, id, reader(actor), number, limit).await?,
    };
    Ok(paging::page(read, paging.rows(), &wanted, |version| version.version))
}

/// One version.
///
/// # Errors
/// [`crate::Error::NotFound`] when there is no such record or version.
pub async fn version(engine: &Engine, actor: &Actor, id: Uuid, number: i32) -> Result<Version> {
    let mut connection = engine.pool().acquire().await?;
    find::readable(&mut connection, actor, id).await?;
    let found = store::version::find(&mut connection, id, reader(actor), number).await?;
    found.ok_or(Error::NotFound("The version"))
}

/// How a version differs from another; from the one before it when none is named. `from` 0 is the empty text before the first.
///
/// # Errors
/// [`crate::Error::NotFound`] when there is no such record or version.
pub async fn diff(engine: &Engine, actor: &Actor, id: Uuid, to: i32, from: Option<i32>) -> Result<VersionDiff> {
    let (old, new, from) = {
        let mut connection = engine.pool().acquire().await?;
        find::readable(&mut connection, actor, id).await?;
        let new = store::version::content(&mut connection, id, to).await?.ok_or(Error::NotFound("The version"))?;
        let from = from.unwrap_or(to - 1);
        let old = match from {
            0 => Content { body: String::new(), ..new.clone() },
            number => {
                store::version::content(&mut connection, id, number).await?.ok_or(Error::NotFound("The version"))?
            }
        };
        (old, new, from)
    };
    let changed = |old: &String, new: &String| (old != new).then(|| (old.clone(), new.clone()));
    let (title, status) = (changed(&old.title, &new.title), changed(&old.status, &new.status));
    let diff = aside(old.body.len() + new.body.len(), move || text::diff(&old.body, &new.body)).await;
    Ok(VersionDiff { from, to, title, status, diff })
}

fn reader(actor: &Actor) -> store::version::Reader {
    (actor.person_id, actor.holds(Scope::ConversationsReadAny))
}
