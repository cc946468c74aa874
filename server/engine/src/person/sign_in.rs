use uuid::Uuid;
use wire::person::SignIn;

use crate::Engine;
use crate::error::Result;

/// Checks an e-mail and a password; gives the person. One answer, in the same time, for an unknown account and a wrong password.
///
/// # Errors
/// [`crate::Error::Unauthorised`] for whatever was wrong, [`crate::Error::TooMany`] after too many failures.
pub async fn sign_in(engine: &Engine, with: SignIn, address: Option<&str>) -> Result<Uuid> {
    let _ = (engine, with, address);
    todo!()
}
