//! Passwords as Argon2id keeps them. Hashing takes memory and time on purpose: it runs off the threads that serve requests, two at a
//! time, whoever asks.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::random::random;
use crate::error::{Error, Result};

/// Characters that a password has at least and at most.
const SHORTEST: usize = 8;
const LONGEST: usize = 1_000;

static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// The right to hash now.
pub struct Place {
    _permit: SemaphorePermit<'static>,
}

/// Waits for the right to hash.
pub async fn place() -> Result<Place> {
    let permit = AT_ONCE.acquire().await;
    let permit =
        permit.map_err(|_| Error::Unavailable("Signing in is not possible right now. Try again.".to_owned()))?;
    Ok(Place { _permit: permit })
}

/// The hash of a new password.
///
/// # Errors
/// When it is shorter or longer than a password may be.
pub async fn hash(password: String) -> Result<String> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Err(Error::invalid("password", format!("A password needs at least {SHORTEST} characters.")));
    }
    if length > LONGEST {
        return Err(Error::invalid("password", format!("A password holds at most {LONGEST} characters.")));
    }
    let salt: [u8; 16] = random()?;
    let _place = place().await?;
    off_thread(move || {
        let salt = SaltString::encode_b64(&salt)?;
        Argon2::default().hash_password(password.as_bytes(), &salt).map(|hash| hash.to_string())
    })
    .await?
    .map_err(|error| Error::Unavailable(format!("The password could not be hashed: {error}.")))
}

/// Whether a password is the one of a hash. Without a hash the answer is no, after the same work.
pub async fn verify(_place: &Place, password: String, hash: Option<String>) -> Result<bool> {
    off_thread(move || {
        let known = hash.as_deref().and_then(|hash| PasswordHash::new(hash).ok());
        match known {
            Some(known) if password.chars().count() <= LONGEST => {
                Argon2::default().verify_password(password.as_bytes(), &known).is_ok()
            }
            _ => {
                // the work of a hash with the same parameters, and what comes out compared with nothing
                let mut out = [0; 32];
                let _ = Argon2::default().hash_password_into(b"no account", b"no salt either", &mut out);
                std::hint::black_box(out);
                false
            }
        }
    })
    .await
}

async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Error::Unavailable("The password could not be checked. Try again.".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_password_itself_is_taken() {
        let hash = hash("correct horse".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$"));
        let place = place().await.unwrap();
        assert!(verify(&place, "correct horse".to_owned(), Some(hash.clone())).await.unwrap());
        for wrong in ["", "correct horse ", "Correct horse", &"x".repeat(100_000)] {
            assert!(!verify(&place, wrong.to_owned(), Some(hash.clone())).await.unwrap(), "{wrong}");
        }
        assert!(!verify(&place, "correct horse".to_owned(), None).await.unwrap());
        assert!(!verify(&place, "correct horse".to_owned(), Some("nonsense".to_owned())).await.unwrap());
    }

    #[tokio::test]
    async fn lengths_are_held() {
        assert!(hash("short".to_owned()).await.is_err());
        assert!(hash("x".repeat(1_001)).await.is_err());
        assert!(hash("пароль-8".to_owned()).await.is_ok());
    }
}
