use crate::error::{Error, Result};
use crate::text::storable;

/// Characters of a name.
const LONGEST: usize = 100;

/// A name of a person, an organisation, a project or a token, trimmed.
///
/// # Errors
/// When nothing is left or it is too long; `what` says whose name it is.
pub fn name(what: &'static str, name: &str) -> Result<String> {
    let name = storable(name.trim()).into_owned();
    if !name.chars().any(char::is_alphanumeric) {
        return Err(Error::invalid("name", format!("{what} needs at least one letter or digit.")));
    }
    if name.chars().count() > LONGEST || name.contains(['\n', '\r']) {
        return Err(Error::invalid("name", format!("{what} is one line of at most {LONGEST} characters.")));
    }
    Ok(name)
}
