use uuid::Uuid;
use wire::page::{Page, Paging};
use wire::version::{Version, VersionDiff};

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// The versions of a record, newest first.
///
/// # Errors
/// [`crate::Error::NotFound`] when the organisation has no such record.
pub async fn versions(engine: &Engine, actor: &Actor, id: Uuid, paging: Paging) -> Result<Page<Version>> {
    let _ = (engine, actor, id, paging);
    todo!()
}

/// One version.
///
/// # Errors
/// [`crate::Error::NotFound`] when there is no such record or version.
pub async fn version(engine: &Engine, actor: &Actor, id: Uuid, number: i32) -> Result<Version> {
    let _ = (engine, actor, id, number);
    todo!()
}

/// How a version differs from another; from the one before it when none is named.
///
/// # Errors
/// [`crate::Error::NotFound`] when there is no such record or version.
pub async fn diff(engine: &Engine, actor: &Actor, id: Uuid, to: i32, from: Option<i32>) -> Result<VersionDiff> {
    let _ = (engine, actor, id, to, from);
    todo!()
}
