use uuid::Uuid;
use wire::person::FirstOwner;

use crate::Engine;
use crate::error::Result;

/// The first visit to an empty installation: makes the organisation and its owner.
///
/// # Errors
/// When there is an account already, or a field is not valid.
pub async fn first_owner(engine: &Engine, new: FirstOwner, address: Option<&str>) -> Result<Uuid> {
    let _ = (engine, new, address);
    todo!()
}
