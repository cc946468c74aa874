//! Where a link of somebody else's text may lead.

/// What an address turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A page of ours.
    Own(String),
    /// Another host, or a mail address.
    Foreign(String),
    /// Nothing that a link may lead to: its text stays text.
    None,
}

/// Judges an address as a browser reads it: control characters and blanks are passed over, case does not count.
#[must_use]
pub fn target(address: &str) -> Target {
    let address: String = address.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
    let scheme = address.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| !scheme.contains(['/', '?', '#']));
    match scheme {
        Some(scheme) => {
            let scheme = scheme.to_ascii_lowercase();
            if matches!(scheme.as_str(), "http" | "https" | "mailto") { Target::Foreign(address) } else { Target::None }
        }
        // two slashes, either way round, name another host
        None if address.starts_with("//") || address.starts_with('\\') || address.starts_with("/\\") => Target::None,
        None if address.is_empty() => Target::None,
        None => Target::Own(address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_addresses_become_links() {
        for address in [
            "javascript:alert(1)",
            "JaVa\tscript:alert(1)",
            " javascript:alert(1)",
            "java\nscript:alert(1)",
            "\u{1}javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "file:///etc/passwd",
            "blob:x",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/\t/evil.example",
            "",
            " ",
        ] {
            assert_eq!(target(address), Target::None, "{address:?}");
        }
    }

    #[test]
    fn own_and_foreign_addresses_are_told_apart() {
        assert_eq!(target("/p/x?a=b:c"), Target::Own("/p/x?a=b:c".into()));
        assert_eq!(target("#part"), Target::Own("#part".into()));
        assert_eq!(target("plans/x.md"), Target::Own("plans/x.md".into()));
        assert_eq!(target("HTTPS://a.example/b"), Target::Foreign("HTTPS://a.example/b".into()));
        assert_eq!(target("mailto:a@b.example"), Target::Foreign("mailto:a@b.example".into()));
    }
}
