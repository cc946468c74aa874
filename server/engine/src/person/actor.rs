use uuid::Uuid;

use crate::Engine;
use crate::access::Actor;
use crate::error::Result;

/// The actor of a session. None when the person is gone.
///
/// # Errors
/// When the database does not answer.
pub async fn actor_of_person(engine: &Engine, person_id: Uuid, address: Option<&str>) -> Result<Option<Actor>> {
    let _ = (engine, person_id, address);
    todo!()
}

/// The actor of a personal access token. None when it is unknown, expired or revoked, or its person is gone.
///
/// # Errors
/// When the database does not answer.
pub async fn actor_of_token(engine: &Engine, secret: &str, address: Option<&str>) -> Result<Option<Actor>> {
    let _ = (engine, secret, address);
    todo!()
}

/// The actor of a turn: what the person's role holds now, and never more than what the turn was sent with. None when the person is gone.
///
/// # Errors
/// When the database does not answer.
pub async fn actor_of_turn(engine: &Engine, turn_id: Uuid) -> Result<Option<Actor>> {
    let _ = (engine, turn_id);
    todo!()
}
