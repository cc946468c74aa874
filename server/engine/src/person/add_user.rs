use uuid::Uuid;
use wire::access::Role;

use crate::Engine;
use crate::error::Result;

/// An account to add from the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddUser {
    /// Made when there is none of this name.
    pub organisation: String,
    pub email: String,
    pub password: String,
    pub role: Role,
    /// Absent: the part of the e-mail before the `@`.
    pub name: Option<String>,
}

/// Adds an account, and its organisation when that is new.
///
/// # Errors
/// When a field is not valid or the e-mail has an account already.
pub async fn add_user(engine: &Engine, new: AddUser) -> Result<Uuid> {
    let _ = (engine, new);
    todo!()
}
