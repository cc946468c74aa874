use crate::ui::IconName;

/// The picture of a tool.
#[must_use]
pub fn icon(name: &str) -> IconName {
    match name {
        "Read" => IconName::File,
        "Write" => IconName::Plus,
        "Edit" => IconName::Edit,
        "Glob" | "fetch_related_planning_artifacts" => IconName::List,
        "Grep" => IconName::Search,
        "Bash" => IconName::Terminal,
        "WebFetch" => IconName::Globe,
        "TodoWrite" => IconName::Todo,
        "ask_user" | "present_plan" => IconName::Note,
        _ => IconName::Arrow,
    }
}
