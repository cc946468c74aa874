//! A record, its project or nothing: what an actor may not see is not there.

use sqlx::postgres::PgConnection;
use uuid::Uuid;
use wire::access::Scope;
use wire::record::{Project, RecordKind};

use crate::access::{Actor, Target, may};
use crate::error::{Error, Result};
use crate::store;
use crate::store::record::Stored;

/// The scope that managing a kind needs.
#[must_use]
pub const fn scope(kind: RecordKind) -> Scope {
    match kind {
        RecordKind::Initiative => Scope::InitiativesManage,
        RecordKind::Plan => Scope::PlansManage,
        RecordKind::Bug => Scope::BugsManage,
    }
}

/// A record to read.
pub(super) async fn readable(connection: &mut PgConnection, actor: &Actor, id: Uuid) -> Result<Stored> {
    let stored = store::record::find(connection, id).await?.ok_or(Error::NotFound("The record"))?;
    may(actor, Scope::RecordsRead, Target::Organisation { id: stored.organisation_id, what: "The record" })?;
    Ok(stored)
}

/// A record to change: locked until the transaction ends.
pub(super) async fn writable(connection: &mut PgConnection, actor: &Actor, id: Uuid) -> Result<Stored> {
    // who may not see it must not be able to hold it either
    let stored = store::record::find(connection, id).await?.ok_or(Error::NotFound("The record"))?;
    may(actor, scope(stored.record.kind), Target::Organisation { id: stored.organisation_id, what: "The record" })?;
    store::record::lock(connection, id).await?.ok_or(Error::NotFound("The record"))
}

/// A project to do something in that needs a scope.
pub(super) async fn project(connection: &mut PgConnection, actor: &Actor, id: Uuid, scope: Scope) -> Result<Project> {
    let project = store::project::find(connection, actor.organisation_id, id).await?;
    let project = project.ok_or(Error::NotFound("The project"))?;
    may(actor, scope, Target::Organisation { id: actor.organisation_id, what: "The project" })?;
    Ok(project)
}
