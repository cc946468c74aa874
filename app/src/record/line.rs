use leptos::prelude::*;
use wire::record::RecordLine;

use super::status::StatusPill;
use crate::{
    routes::record_href,
    ui::{Badge, Time, Tone},
};

/// A list of records, one line each.
#[component]
pub fn RecordLines(
    #[prop(into)] lines: Signal<Vec<RecordLine>>,
    /// The project's slug.
    #[prop(into)]
    project: Signal<String>,
    /// Accessible name of the list.
    #[prop(into)]
    label: String,
) -> impl IntoView {
    // a line is drawn anew when anything of it changed, and only then
    let key = |line: &RecordLine| (line.id, line.title.clone(), line.status.clone(), line.updated_at);
    view! {
        <ul class="plain lines" aria-label=label>
            <For each=move || lines.get() key=key let:line>
                <li>
                    <a
                        class="line-title"
                        dir="auto"
                        href=record_href(&project.get_untracked(), line.kind, &line.slug)
                    >
                        {line.title}
                    </a>
                    <span class="line-state">
                        {line.severity.map(|severity| view! { <Severity severity /> })}
                        <StatusPill status=line.status />
                        <Time at=line.updated_at />
                    </span>
                </li>
            </For>
        </ul>
    }
}

/// How bad a bug is.
#[component]
pub fn Severity(severity: String) -> impl IntoView {
    let tone = match severity.as_str() {
        "critical" => Tone::Bad,
        "high" => Tone::Warn,
        _ => Tone::Quiet,
    };
    view! { <Badge tone=tone>{severity}</Badge> }
}
