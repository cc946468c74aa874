use uuid::Uuid;
use wire::access::Role;

use super::{email, name, password};
use crate::error::{Error, Result};
use crate::store::audit::Entry;
use crate::store::notice::NewNotice;
use crate::store::person::NewPerson;
use crate::store::{self, Tx};
use crate::{Engine, organisation};

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
    let account = Account::checked(&new.organisation, &new.email, new.name.as_deref(), new.role, new.password).await?;
    let mut tx = engine.begin().await?;
    let organisation_id = organisation::create(engine, &mut tx, &account.organisation).await?;
    let person_id = account.insert(engine, &mut tx, organisation_id, None).await?;
    tx.commit().await?;
    Ok(person_id)
}

/// An account whose fields are checked.
pub(super) struct Account {
    pub organisation: String,
    email: String,
    name: String,
    role: Role,
    password_hash: String,
}

impl Account {
    pub async fn checked(
        organisation: &str,
        address: &str,
        named: Option<&str>,
        role: Role,
        password: String,
    ) -> Result<Account> {
        let organisation = name::name("The name of an organisation", organisation)?;
        let email = email::valid(address)?;
        let named = named.unwrap_or_else(|| email.split('@').next().unwrap_or(&email));
        let name = name::name("The name of a person", named)?;
        let password_hash = password::hash(password).await?;
        Ok(Account { organisation, email, name, role, password_hash })
    }

    /// Adds the account; `address` is where the person is, when they add themselves.
    pub async fn insert(
        &self,
        engine: &Engine,
        tx: &mut Tx,
        organisation_id: Uuid,
        address: Option<Option<&str>>,
    ) -> Result<Uuid> {
        let id = engine.id();
        let new = NewPerson {
            id,
            organisation_id,
            email: &self.email,
            name: &self.name,
            role: self.role,
            password_hash: &self.password_hash,
        };
        let now = tx.now();
        if !store::person::insert(tx, &new, now).await? {
            return Err(Error::conflict("email_taken", format!("{} has an account already.", self.email)));
        }
        tx.audit(&Entry {
            organisation_id,
            // from the command line nobody of the organisation does it
            person_id: address.map(|_| id),
            agent: None,
            action: "member.added",
            subject_kind: "person",
            subject_id: id,
            before_version: None,
            after_version: None,
            edit_source: None,
            address: address.flatten().map(str::to_owned),
            detail: serde_json::json!({ "role": self.role.name() }),
        })
        .await?;
        tx.notice(&NewNotice {
            organisation_id,
            owner_id: None,
            topic: "member",
            subject_id: id,
            kind: "created",
            project_id: None,
            record_id: None,
            chat_id: None,
        })
        .await?;
        Ok(id)
    }
}
