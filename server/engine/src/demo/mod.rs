//! The sample organisation: data, loaded through the same commands that people use.

use crate::Engine;
use crate::error::Result;

/// Makes the sample organisation with its accounts, project and records; what is there already stays.
///
/// # Errors
/// When the database does not answer.
pub async fn seed(engine: &Engine) -> Result<()> {
    let _ = engine;
    todo!()
}
