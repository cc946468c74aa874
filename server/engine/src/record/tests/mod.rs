//! Records against a real database.

mod access;
mod history;
mod proposals;
mod reading;
mod reconcile;
mod saving;

use sqlx::postgres::PgPool;
use wire::record::{Record, SaveConflict, SaveRecord, Saved};

use super::{SaveOutcome, save};
use crate::Engine;
use crate::access::Actor;
use crate::testing::Acme;

/// Ten lines, far enough apart to be changed apart.
fn ten() -> String {
    (1..=10).map(|n| format!("line {n}\n\n")).collect()
}

fn body(base_version: i32, body: &str) -> SaveRecord {
    SaveRecord { base_version, title: None, status: None, body: Some(body.to_owned()), severity: None }
}

async fn saved(engine: &Engine, actor: &Actor, record: &Record, change: SaveRecord) -> Saved {
    match save(engine, actor, record.id, change).await {
        Ok(SaveOutcome::Saved(saved)) => saved,
        other => panic!("not saved: {other:?}"),
    }
}

async fn conflict(engine: &Engine, actor: &Actor, record: &Record, change: SaveRecord) -> SaveConflict {
    match save(engine, actor, record.id, change).await {
        Ok(SaveOutcome::Conflict(conflict)) => *conflict,
        other => panic!("no conflict: {other:?}"),
    }
}

/// A plan whose body is [`ten`].
async fn plan(pool: PgPool) -> (Acme, Record) {
    let acme = Acme::on(pool).await;
    let plan = acme.plan(&ten()).await;
    (acme, plan)
}
