use crate::error::{Error, Result};

/// Bytes of an e-mail address.
const LONGEST: usize = 254;

/// An e-mail address as accounts are found by it. Only the letters of ASCII have a lower case here, so no language's rules for
/// others (a Turkish İ) make two addresses one.
pub fn folded(email: &str) -> String {
    email.trim().to_ascii_lowercase()
}

/// The address of a new account.
///
/// # Errors
/// When it cannot be one.
pub fn valid(email: &str) -> Result<String> {
    let email = folded(email);
    let parts: Vec<&str> = email.split('@').collect();
    let shaped = matches!(parts[..], [name, host] if !name.is_empty() && !host.is_empty());
    if !shaped || email.len() > LONGEST || !email.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::invalid(
            "email",
            "This is not an e-mail address. Write it as name@example.org, in ASCII letters.",
        ));
    }
    Ok(email)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(valid(" Owner@Demo.TEST ").ok().as_deref(), Some("owner@demo.test"));
        assert_eq!(folded("İI@x"), "İi@x");
        for wrong in ["", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\0", "ı@demo.test", &format!("{}@b", "a".repeat(254))]
        {
            assert!(valid(wrong).is_err(), "{wrong}");
        }
    }
}
