use std::fmt;

/// Longest name of one part; what file systems allow.
const MAX_NAME: usize = 255;
const MAX_PATH: usize = 1024;
const MAX_DEPTH: usize = 8;

/// A path inside a workspace: relative, of plain names, `/` between them. It says nothing about what lies there: links are refused when it is
/// opened, part by part, so that a link put there in between cannot lead outside.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkspacePath(String);

/// Why a path is not one inside the workspace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPath {
    #[error("the path is empty; give one such as `plans/csv-export.md`")]
    Empty,
    #[error("`{0}` is absolute; paths begin at the workspace, such as `plans/csv-export.md`")]
    Absolute(String),
    #[error("`{0}` leads out of the workspace; `..` is not allowed")]
    Outside(String),
    #[error("`{0}` holds a backslash; parts of a path have `/` between them")]
    Backslash(String),
    #[error("the path holds a character that file names here cannot have: U+{0:04X}")]
    Character(u32),
    #[error("`{0}` begins with a dot; hidden files are not part of the workspace")]
    Hidden(String),
    #[error("a part of the path is {0} bytes long; the longest name is {MAX_NAME}")]
    Long(usize),
    #[error("the path has too many parts or is too long")]
    Deep,
    #[error("`{0}` ends with a slash; name a file")]
    Folder(String),
}

impl WorkspacePath {
    /// # Errors
    /// See [`BadPath`].
    pub fn parse(text: &str) -> Result<WorkspacePath, BadPath> {
        if let Some(bad) = text.chars().find(|character| is_unfit(*character)) {
            return Err(BadPath::Character(u32::from(bad)));
        }
        let text = text.strip_prefix("./").unwrap_or(text);
        if text.trim().is_empty() || text == "." {
            return Err(BadPath::Empty);
        }
        let drive = text.len() >= 2 && text.as_bytes()[1] == b':' && text.as_bytes()[0].is_ascii_alphabetic();
        if text.starts_with('/') || drive {
            return Err(BadPath::Absolute(text.to_owned()));
        }
        if text.contains('\\') {
            return Err(BadPath::Backslash(text.to_owned()));
        }
        if text.ends_with('/') {
            return Err(BadPath::Folder(text.to_owned()));
        }
        let mut parts = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => return Err(BadPath::Outside(text.to_owned())),
                _ if part.len() > MAX_NAME => return Err(BadPath::Long(part.len())),
                _ if part.starts_with('.') => return Err(BadPath::Hidden(part.to_owned())),
                _ => parts.push(part),
            }
        }
        if parts.is_empty() {
            return Err(BadPath::Empty);
        }
        let path = parts.join("/");
        if parts.len() > MAX_DEPTH || path.len() > MAX_PATH {
            return Err(BadPath::Deep);
        }
        Ok(WorkspacePath(path))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folders on the way, from the workspace down.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        let folders = self.0.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').filter(|part| !part.is_empty())
    }

    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Control characters, and marks that turn the direction of the text around them so that a name reads as another.
pub fn is_unfit(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn inside() {
        for (text, path) in [
            ("plans/a.md", "plans/a.md"),
            ("./plans/a.md", "plans/a.md"),
            ("plans//a.md", "plans/a.md"),
            ("plans/./a.md", "plans/a.md"),
            ("a.md", "a.md"),
            ("%2e%2e/x.md", "%2e%2e/x.md"),
            ("~/x.md", "~/x.md"),
            ("plans/CON.md", "plans/CON.md"),
            ("plans/Plän 计划.md", "plans/Plän 计划.md"),
        ] {
            assert_eq!(WorkspacePath::parse(text).map(|path| path.0), Ok(path.to_owned()), "{text}");
        }
    }

    #[test]
    fn outside() {
        let long = format!("plans/{}.md", "x".repeat(300));
        let deep = "a/".repeat(20) + "x.md";
        for text in [
            "",
            ".",
            "./",
            "/",
            "..",
            "../x.md",
            "../../etc/x.md",
            "/etc/x.md",
            "a/../../x.md",
            "plans/../x.md",
            "..\\..\\x.md",
            "C:\\x.md",
            "c:x.md",
            "\\\\host\\x.md",
            "a\0.md",
            "a\n.md",
            "x\u{202e}gnp.md",
            "plan.md/",
            ".git/config",
            "plans/.x.md",
            ".workspace",
            "   ",
            &long,
            &deep,
        ] {
            assert!(WorkspacePath::parse(text).is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_path_never_leaves(text in "(\\.|\\.\\.|/|a|b|~|\\\\|C:|\\PC){0,10}") {
            if let Ok(path) = WorkspacePath::parse(&text) {
                prop_assert!(!path.as_str().starts_with('/'));
                prop_assert!(path.as_str().split('/').all(|part| !part.is_empty() && !part.starts_with('.')));
                prop_assert_eq!(path.folders().chain([path.name()]).collect::<Vec<_>>().join("/"), path.as_str());
                prop_assert_eq!(WorkspacePath::parse(path.as_str()), Ok(path.clone()));
            }
        }
    }
}
