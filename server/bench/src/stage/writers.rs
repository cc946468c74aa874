//! The engine without HTTP, in this process, on a database of its own: for figures about the store alone.

use std::path::Path;
use std::time::Duration;

use engine::{Config, Engine, ModelConfig, ProviderKind};
use uuid::Uuid;
use wire::event::Event;

use super::Stage;
use super::database::Database;
use crate::result::Result;

const SQL: &str = include_str!("../../sql/writers.sql");

/// An engine, and chats with turns that run: what an appender needs.
pub struct Writers {
    pub engine: Engine,
    pub database: Database,
}

impl Writers {
    pub async fn make(stage: &Stage, chats: usize) -> Result<Writers> {
        let database = stage.postgres.create(&format!("writers_{}", stage.number())).await?;
        let engine = Engine::start(config(&database, stage.folder.path())).await?;
        database.run(SQL, &[("count", &chats.to_string())]).await?;
        Ok(Writers { engine, database })
    }

    /// The chat of this number.
    pub fn chat(number: usize) -> Uuid {
        Uuid::from_u128(0x0000_0000_0000_4000_8001_0000_0000_0000 + decimal(number))
    }

    /// The turn that runs in the chat of this number.
    pub fn turn(number: usize) -> Uuid {
        Uuid::from_u128(0x0000_0000_0000_4000_8002_0000_0000_0000 + decimal(number))
    }

    /// A text of a turn, as one token makes it.
    pub fn event(number: usize) -> Event {
        Event::TextMessageContent {
            message_id: Uuid::from_u128(0x0000_0000_0000_4000_8003_0000_0000_0000 + decimal(number)),
            part_id: "00000001.1.1".to_owned(),
            delta: "1234:1764540000000000 ".to_owned(),
        }
    }
}

/// The ids end with the number in decimal digits.
fn decimal(number: usize) -> u128 {
    u128::from_str_radix(&number.to_string(), 16).unwrap_or_default()
}

fn config(database: &Database, data: &Path) -> Config {
    Config {
        database_url: database.url(),
        connections: 20,
        data: data.join("writers"),
        model: ModelConfig { provider: ProviderKind::Demo, base_url: None, model: None, key: None },
        turns: 1,
        iterations: 30,
        silence: Duration::from_secs(120),
    }
}
