use rand::TryRngCore as _;
use rand::rngs::OsRng;

use crate::error::{Error, Result};

/// Bytes that nobody can guess, from the operating system.
///
/// # Errors
/// When the machine gives none.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    OsRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| Error::Unavailable(format!("The machine gives no random bytes: {error}.")))?;
    Ok(bytes)
}
