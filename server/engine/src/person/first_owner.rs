use uuid::Uuid;
use wire::access::Role;
use wire::person::FirstOwner;

use super::add_user::Account;
use crate::error::{Error, Result};
use crate::{Engine, organisation, store};

/// The first visit to an empty installation: makes the organisation and its owner.
///
/// # Errors
/// When there is an account already, or a field is not valid.
pub async fn first_owner(engine: &Engine, new: FirstOwner, address: Option<&str>) -> Result<Uuid> {
    // hashing costs something: not for whoever comes later
    if !super::is_empty(engine).await? {
        return Err(taken());
    }
    let name = Some(new.name.as_str());
    let account = Account::checked(&new.organisation, &new.email, name, Role::Owner, new.password).await?;
    let mut tx = engine.begin().await?;
    store::person::lock_all(&mut tx).await?;
    if !store::person::none(&mut tx).await? {
        return Err(taken());
    }
    let organisation_id = organisation::create(engine, &mut tx, &account.organisation).await?;
    let person_id = account.insert(engine, &mut tx, organisation_id, Some(address)).await?;
    tx.commit().await?;
    Ok(person_id)
}

fn taken() -> Error {
    Error::conflict("not_empty", "This installation has an owner already. Sign in instead.")
}
