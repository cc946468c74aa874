use super::text::merge;

/// What a version of a record holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub title: String,
    pub status: String,
    /// Bugs have one, other kinds none.
    pub severity: Option<String>,
    pub body: String,
}

/// Two versions that came from one, merged field by field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedContent {
    /// The merge. Where a field is in conflict: what is stored now, and for the body the text with both sides marked.
    pub content: Content,
    /// The fields that both sides changed differently: `title`, `status`, `severity`, `body`.
    pub conflicts: Vec<&'static str>,
}

impl MergedContent {
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.conflicts.is_empty()
    }
}

impl Content {
    /// Merges `mine` into `theirs`, which is stored now; both came from `base`. A field that only one side changed is that side's.
    #[must_use]
    pub fn merge(base: &Content, theirs: &Content, mine: &Content) -> MergedContent {
        let mut conflicts = Vec::new();
        let title = field("title", &base.title, &theirs.title, &mine.title, &mut conflicts);
        let status = field("status", &base.status, &theirs.status, &mine.status, &mut conflicts);
        let severity = field("severity", &base.severity, &theirs.severity, &mine.severity, &mut conflicts);
        let body = merge(&base.body, &theirs.body, &mine.body);
        if !body.clean {
            conflicts.push("body");
        }
        MergedContent { content: Content { title, status, severity, body: body.text }, conflicts }
    }
}

fn field<T: Clone + PartialEq>(
    name: &'static str,
    base: &T,
    theirs: &T,
    mine: &T,
    conflicts: &mut Vec<&'static str>,
) -> T {
    if mine != base && theirs != base && mine != theirs {
        conflicts.push(name);
    }
    if theirs == base { mine.clone() } else { theirs.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(title: &str, status: &str, body: &str) -> Content {
        Content { title: title.to_owned(), status: status.to_owned(), severity: None, body: body.to_owned() }
    }

    #[test]
    fn each_field_is_merged_on_its_own() {
        let base = content("Plan", "draft", "a\nb\nc\n");
        let theirs = content("Plan", "ready", "A\nb\nc\n");
        let mine = content("Better plan", "draft", "a\nb\nC\n");
        let merged = Content::merge(&base, &theirs, &mine);
        assert!(merged.is_clean());
        assert_eq!(merged.content, content("Better plan", "ready", "A\nb\nC\n"));
    }

    #[test]
    fn what_both_changed_differently_is_named_and_kept_as_stored() {
        let base = content("Plan", "draft", "a\n");
        let theirs = content("Their plan", "ready", "b\n");
        let mine = content("My plan", "ready", "c\n");
        let merged = Content::merge(&base, &theirs, &mine);
        assert_eq!(merged.conflicts, ["title", "body"]);
        assert_eq!(merged.content.title, "Their plan");
        assert_eq!(merged.content.body, "<<<<<<< current\nb\n=======\nc\n>>>>>>> yours\n");
    }
}
