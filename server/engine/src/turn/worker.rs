//! Which turns a node runs: up to a configured number side by side, each claimed in the database, its lease renewed while it runs.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::claim::{Claimed, claim};
use super::run::run;
use crate::Engine;
use crate::error::Result;
use crate::feed::Poke;
use crate::store::turn;

/// How long a node may be silent before another takes its turns.
pub(super) const LEASE: Duration = Duration::from_secs(15);
const RENEW: Duration = Duration::from_secs(5);
/// How often what no poke told is looked for.
const POLL: Duration = Duration::from_secs(1);

/// The turns that run on this node.
pub(crate) struct Running {
    turns: Mutex<HashMap<Uuid, Signals>>,
    free: Arc<Semaphore>,
}

/// How a running turn is told things.
#[derive(Clone)]
pub(super) struct Signals {
    pub attempt: i32,
    /// The person wants it to stop.
    pub stop: CancellationToken,
    /// It is not ours any more, or the node shuts down: write nothing further.
    pub leave: CancellationToken,
}

impl Running {
    pub(crate) fn new(turns: usize) -> Running {
        Running { turns: Mutex::default(), free: Arc::new(Semaphore::new(turns)) }
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<Uuid, Signals>) -> T) -> T {
        work(&mut self.turns.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn stop(&self, turn_id: Uuid) {
        self.with(|turns| {
            if let Some(signals) = turns.get(&turn_id) {
                signals.stop.cancel();
            }
        });
    }
}

/// Starts turns as they come, until the node stops.
pub(crate) async fn work(engine: Engine) {
    let mut pokes = engine.feed().pokes();
    let mut ticks = tokio::time::interval(POLL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let poke = tokio::select! {
            () = engine.stopping().cancelled() => return,
            poke = pokes.recv() => poke,
            _ = ticks.tick() => Ok(Poke::Everything),
        };
        match poke {
            Ok(Poke::Chat(chat_id)) => start(&engine, chat_id),
            Ok(Poke::Stop(turn_id)) => engine.running().stop(turn_id),
            Ok(Poke::Everything) | Err(RecvError::Lagged(_)) => {
                if let Err(error) = look(&engine).await {
                    tracing::warn!(%error, "waiting turns could not be looked for");
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}

/// Renews the leases of the turns that run here, until the node stops. One that is not ours any more is left.
pub(crate) async fn renew(engine: Engine) {
    let mut ticks = tokio::time::interval(RENEW);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = engine.stopping().cancelled() => return,
            _ = ticks.tick() => {}
        }
        let mine: Vec<(Uuid, i32)> =
            engine.running().with(|turns| turns.iter().map(|(id, signals)| (*id, signals.attempt)).collect());
        if mine.is_empty() {
            continue;
        }
        match renew_once(&engine, &mine).await {
            Ok(still) => engine.running().with(|turns| {
                for (id, _) in mine.iter().filter(|(id, _)| !still.contains(id)) {
                    if let Some(signals) = turns.get(id) {
                        signals.leave.cancel();
                    }
                }
            }),
            Err(error) => tracing::warn!(%error, "leases could not be renewed"),
        }
    }
}

async fn renew_once(engine: &Engine, mine: &[(Uuid, i32)]) -> Result<Vec<Uuid>> {
    let until = engine.now() + LEASE;
    let mut connection = engine.pool().acquire().await?;
    turn::renew(&mut connection, engine.node_id(), mine, until).await
}

/// Looks for turns that wait, whose lease lapsed, or that are to stop.
async fn look(engine: &Engine) -> Result<()> {
    let mine: Vec<Uuid> = engine.running().with(|turns| turns.keys().copied().collect());
    let free = engine.running().free.available_permits();
    let (stopping, waiting) = {
        let mut connection = engine.pool().acquire().await?;
        let stopping = if mine.is_empty() { Vec::new() } else { turn::stopping(&mut connection, &mine).await? };
        let limit = i64::try_from(free).unwrap_or(i64::MAX);
        let waiting =
            if free == 0 { Vec::new() } else { turn::waiting_chats(&mut connection, engine.now(), limit).await? };
        (stopping, waiting)
    };
    for turn_id in stopping {
        engine.running().stop(turn_id);
    }
    for chat_id in waiting {
        start(engine, chat_id);
    }
    Ok(())
}

/// Runs the chat's next turn if there is room; else other nodes are asked.
fn start(engine: &Engine, chat_id: Uuid) {
    match Arc::clone(&engine.running().free).try_acquire_owned() {
        Ok(place) => engine.spawn(keep_running(engine.clone(), chat_id, place)),
        Err(_) => engine.feed().poke_others(Poke::Chat(chat_id)),
    }
}

/// Runs the chat's next turn, then whichever waits longest, until none does.
async fn keep_running(engine: Engine, chat_id: Uuid, _place: OwnedSemaphorePermit) {
    let mut next = Some(chat_id);
    while let Some(chat_id) = next
        && !engine.stopping().is_cancelled()
    {
        match claim(&engine, chat_id).await {
            Ok(Some(claimed)) => drive(&engine, claimed).await,
            Ok(None) => return,
            Err(error) => {
                tracing::warn!(chat = %chat_id, %error, "a turn could not be claimed");
                return;
            }
        }
        next = longest_waiting(&engine).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "waiting turns could not be looked for");
            None
        });
    }
}

async fn longest_waiting(engine: &Engine) -> Result<Option<Uuid>> {
    let mut connection = engine.pool().acquire().await?;
    Ok(turn::waiting_chats(&mut connection, engine.now(), 1).await?.into_iter().next())
}

async fn drive(engine: &Engine, claimed: Claimed) {
    let turn_id = claimed.row.turn.id;
    let attempt = claimed.row.attempt;
    let signals = Signals { attempt, stop: CancellationToken::new(), leave: engine.stopping().child_token() };
    if claimed.row.stop_requested {
        signals.stop.cancel();
    }
    engine.running().with(|turns| turns.insert(turn_id, signals.clone()));
    let ran = AssertUnwindSafe(run(engine.clone(), claimed, signals.clone())).catch_unwind().await;
    engine.running().with(|turns| {
        // the same turn may have come back here while the old attempt was ending
        if turns.get(&turn_id).is_some_and(|known| known.attempt == attempt) {
            turns.remove(&turn_id);
        }
    });
    if ran.is_err() {
        // the panic is logged where it happened; the next attempt goes on from what is stored, and attempts are counted
        tracing::error!(turn = %turn_id, "a turn panicked");
        signals.leave.cancel();
        super::release(engine, turn_id, attempt).await;
    }
}
