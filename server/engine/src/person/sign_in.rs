use time::{Duration, OffsetDateTime};
use uuid::Uuid;
use wire::person::SignIn;

use super::{email, password};
use crate::error::{Error, Result};
use crate::store::audit::Entry;
use crate::store::person::Account;
use crate::text::{cut, storable};
use crate::{Engine, store};

/// How long a failure counts.
const WINDOW: Duration = Duration::minutes(15);
/// Failures for one e-mail, and from one address, before it is too many.
const LIMITS: (i64, i64) = (10, 50);
/// Bytes of what was typed as e-mail that are kept.
const KEPT: usize = 254;

/// Checks an e-mail and a password; gives the person. One answer, in the same time, for an unknown account and a wrong password.
///
/// # Errors
/// [`crate::Error::Unauthorised`] for whatever was wrong, [`crate::Error::TooMany`] after too many failures.
pub async fn sign_in(engine: &Engine, with: SignIn, address: Option<&str>) -> Result<Uuid> {
    let typed = email::folded(&with.email);
    let email = storable(cut(&typed, KEPT)).into_owned();
    let address = address.unwrap_or("");
    refuse_too_many(engine, &email, address).await?;
    // asked again once it is our turn: while many wait for it, the others' failures are counted
    let place = password::place().await?;
    refuse_too_many(engine, &email, address).await?;
    let account = {
        let mut connection = engine.pool().acquire().await?;
        store::person::account(&mut connection, &email).await?
    };
    let hash = account.as_ref().and_then(|account| account.password_hash.clone());
    let right = password::verify(&place, with.password, hash).await?;
    match account {
        Some(account) if right => succeeded(engine, &account, &email, address).await,
        account => {
            failed(engine, account.as_ref(), &email, address).await?;
            Err(Error::Unauthorised("The e-mail or the password is wrong."))
        }
    }
}

async fn refuse_too_many(engine: &Engine, email: &str, address: &str) -> Result<()> {
    let now = engine.now();
    let mut connection = engine.pool().acquire().await?;
    let failures = store::person::failures(&mut connection, email, address, now - WINDOW, LIMITS).await?;
    let Some(last) = failures.by_email.max(failures.by_address) else { return Ok(()) };
    Err(Error::TooMany { retry_after: seconds_until(last + WINDOW, now) })
}

fn seconds_until(then: OffsetDateTime, now: OffsetDateTime) -> u64 {
    let left = then - now;
    u64::try_from(left.whole_seconds()).unwrap_or(0) + u64::from(left.subsec_nanoseconds() > 0)
}

async fn succeeded(engine: &Engine, account: &Account, email: &str, address: &str) -> Result<Uuid> {
    let mut tx = engine.begin().await?;
    store::person::clear_failures(&mut tx, email, address).await?;
    tx.audit(&entry("session.created", account.organisation_id, Some(account.id), account.id, address)).await?;
    tx.commit().await?;
    Ok(account.id)
}

async fn failed(engine: &Engine, account: Option<&Account>, email: &str, address: &str) -> Result<()> {
    let mut tx = engine.begin().await?;
    let now = tx.now();
    store::person::insert_failure(&mut tx, email, address, now, now - WINDOW).await?;
    let whose = match account {
        Some(account) => Some((account.organisation_id, Some(account.id), account.id)),
        // an unknown account belongs to no organisation, unless there is only one it could have been meant for
        None => store::organisation::only(&mut tx).await?.map(|organisation_id| (organisation_id, None, engine.id())),
    };
    if let Some((organisation_id, person_id, subject_id)) = whose {
        let mut entry = entry("session.failed", organisation_id, person_id, subject_id, address);
        if account.is_none() {
            entry.subject_kind = "session";
            // who types a password into the wrong field does not find it in the log
            let shown = if email.contains('@') { email } else { "" };
            entry.detail = serde_json::json!({ "email": shown });
        }
        tx.audit(&entry).await?;
    }
    tx.commit().await
}

fn entry(
    action: &'static str,
    organisation_id: Uuid,
    person_id: Option<Uuid>,
    subject_id: Uuid,
    address: &str,
) -> Entry {
    Entry {
        organisation_id,
        person_id,
        agent: None,
        action,
        subject_kind: "person",
        subject_id,
        before_version: None,
        after_version: None,
        edit_source: None,
        address: (!address.is_empty()).then(|| address.to_owned()),
        detail: serde_json::json!({}),
    }
}
