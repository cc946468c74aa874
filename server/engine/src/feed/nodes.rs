//! Nodes waking one another: one small NOTIFY outside the data's transaction, one listening connection a node, and a poll as the
//! net beneath both.

use std::collections::HashSet;
use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Feed, Poke, Signal, lock};
use crate::store::{event, wake};

const CHANNEL: &str = "confab";
/// How long wake-ups are gathered before they are told.
const GATHER: Duration = Duration::from_millis(3);
/// How often what others committed is looked for without a wake-up.
const POLL: Duration = Duration::from_millis(250);
/// Ids in one NOTIFY: far from the 8,000 bytes that Postgres allows.
const IDS: usize = 150;

#[derive(Default)]
pub(super) struct Untold {
    pub chats: HashSet<Uuid>,
    pub organisations: HashSet<Uuid>,
    pub pokes: HashSet<Poke>,
}

/// Tells other nodes what was committed here.
pub(super) async fn tell(feed: Feed, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = feed.0.tell.notified() => {}
        }
        tokio::time::sleep(GATHER).await;
        let untold = std::mem::take(&mut *lock(&feed.0.untold));
        let ids: Vec<String> = untold
            .chats
            .iter()
            .map(|id| format!("c{}", id.simple()))
            .chain(untold.organisations.iter().map(|id| format!("o{}", id.simple())))
            .chain(untold.pokes.iter().filter_map(|poke| match poke {
                Poke::Chat(id) => Some(format!("w{}", id.simple())),
                Poke::Stop(id) => Some(format!("s{}", id.simple())),
                Poke::Everything => None,
            }))
            .collect();
        for some in ids.chunks(IDS) {
            let payload = format!("{} {}", feed.0.node_id.simple(), some.join(","));
            if let Err(error) = wake::notify(&feed.0.pool, CHANNEL, &payload).await {
                // the poll of the others finds it
                tracing::debug!(%error, "other nodes could not be woken");
            }
        }
    }
}

/// Hears what was committed elsewhere.
pub(super) async fn listen(feed: Feed, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let heard = tokio::select! {
            () = stop.cancelled() => return,
            heard = hear(&feed) => heard,
        };
        if let Err(error) = heard {
            tracing::warn!(%error, "the listening connection was lost; listening again");
            wake_all(&feed);
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }
}

async fn hear(feed: &Feed) -> sqlx::Result<()> {
    let mut listener = PgListener::connect_with(&feed.0.pool).await?;
    listener.listen(CHANNEL).await?;
    wake_all(feed);
    loop {
        match listener.try_recv().await? {
            Some(notification) => wake_named(feed, notification.payload()),
            // the connection was lost and is there again: what was told meanwhile is not known
            None => wake_all(feed),
        }
    }
}

fn wake_named(feed: &Feed, payload: &str) {
    let Some((node, ids)) = payload.split_once(' ') else { return };
    if node == feed.0.node_id.simple().to_string() {
        return;
    }
    for id in ids.split(',') {
        let (kind, id) = id.split_at_checked(1).unwrap_or(("", ""));
        let Ok(id) = id.parse() else { continue };
        match kind {
            "c" => feed.wake_chat_here(id),
            "o" => feed.wake_organisation_here(id),
            "w" => feed.poke(Poke::Chat(id)),
            "s" => feed.poke(Poke::Stop(id)),
            _ => {}
        }
    }
}

fn wake_all(feed: &Feed) {
    feed.poke(Poke::Everything);
    for channel in lock(&feed.0.chats).values() {
        let _ = channel.sender.send(Signal::ReadUp);
    }
    for sender in lock(&feed.0.organisations).values() {
        sender.send_modify(|count| *count = count.wrapping_add(1));
    }
}

/// Looks for what no wake-up told: only the chats and organisations that somebody follows here.
pub(super) async fn poll(feed: Feed, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(POLL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let followed: Vec<Uuid> = lock(&feed.0.chats)
            .iter()
            .filter(|(_, channel)| channel.sender.receiver_count() > 0)
            .map(|(id, _)| *id)
            .collect();
        if !followed.is_empty()
            && let Ok(mut connection) = feed.0.pool.acquire().await
            && let Ok(newest) = event::newest(&mut connection, &followed).await
        {
            let mut chats = lock(&feed.0.chats);
            for (id, seq) in newest {
                if let Some(channel) = chats.get_mut(&id)
                    && channel.seen < seq
                {
                    channel.seen = seq;
                    let _ = channel.sender.send(Signal::ReadUp);
                }
            }
        }
        for sender in lock(&feed.0.organisations).values() {
            if sender.receiver_count() > 0 {
                sender.send_modify(|count| *count = count.wrapping_add(1));
            }
        }
    }
}
