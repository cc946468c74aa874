//! Chats that are long already: their messages are put into the tables as sends would have left them, because a hundred thousand sends take hours.

use uuid::Uuid;

use super::Stage;
use super::database::Database;
use crate::result::Result;

const MESSAGES: &str = include_str!("../../sql/messages.sql");
const EVENTS: &str = include_str!("../../sql/events.sql");

/// A chat on the plan with so many messages of a few lines each, by the person and the agent in turn.
pub async fn chat(stage: &Stage, messages: usize) -> Result<Uuid> {
    let chat = stage.chat().await?;
    let variables = [("chat", chat.id.to_string()), ("count", messages.to_string())];
    run(stage, MESSAGES, &variables).await?;
    Ok(chat.id)
}

/// Makes a turn that is over as long as if it had said `events` texts more; gives how many events it then has.
pub async fn lengthen(stage: &Stage, chat_id: Uuid, turn_id: Uuid, events: usize) -> Result<usize> {
    let variables = [("chat", chat_id.to_string()), ("turn", turn_id.to_string()), ("count", events.to_string())];
    let said = run(stage, EVENTS, &variables).await?;
    Ok(said.trim().parse()?)
}

async fn run(stage: &Stage, sql: &str, variables: &[(&str, String)]) -> Result<String> {
    let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    database(stage).run(sql, &variables).await
}

fn database(stage: &Stage) -> &Database {
    &stage.database
}
