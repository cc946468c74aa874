use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::{components::Form, hooks::use_query_map, params::ParamsMap};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, format_description::well_known::Rfc3339, macros::format_description};
use wire::{
    audit::{AuditFilter, AuditRow},
    page::{Page, Paging},
    person::Named,
    version::EditSource,
};

use super::Failed;
use crate::{
    api,
    routes::encoded,
    state::Loaded,
    ui::{Badge, Button, Empty, Icon, IconName, Look, Skeleton, Time, Tone},
};

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Asked {
    filter: AuditFilter,
    paging: Paging,
}

impl Asked {
    fn read(query: &ParamsMap) -> Asked {
        let word = |name: &str| query.get(name).map(|word| word.trim().to_owned()).filter(|word| !word.is_empty());
        Asked {
            filter: AuditFilter {
                person: word("person").and_then(|id| id.parse().ok()),
                ai: word("ai").and_then(|ai| ai.parse().ok()),
                subject: word("subject").and_then(|id| id.parse().ok()),
                action: word("action"),
                since: word("since").and_then(|day| start_of(&day)),
                // the day itself counts
                until: word("until").and_then(|day| start_of(&day)).map(|day| day.saturating_add(time::Duration::DAY)),
            },
            paging: Paging { limit: None, before: word("before"), after: word("after") },
        }
    }
}

fn start_of(day: &str) -> Option<OffsetDateTime> {
    let day = time::Date::parse(day, format_description!("[year]-[month]-[day]")).ok()?;
    Some(day.midnight().assume_utc())
}

/// The filter as the API reads it.
fn api_query(filter: &AuditFilter) -> String {
    let at = |at: Option<OffsetDateTime>| at.and_then(|at| at.format(&Rfc3339).ok());
    [
        ("person", filter.person.map(|id| id.to_string())),
        ("ai", filter.ai.map(|ai| ai.to_string())),
        ("subject", filter.subject.map(|id| id.to_string())),
        ("action", filter.action.clone()),
        ("since", at(filter.since)),
        ("until", at(filter.until)),
    ]
    .into_iter()
    .filter_map(|(name, value)| value.map(|value| format!("&{name}={}", encoded(&value))))
    .collect()
}

/// The same page with another cursor.
fn page_href(query: &ParamsMap, name: &str, cursor: &str) -> String {
    let kept = ["person", "ai", "subject", "action", "since", "until"].into_iter().filter_map(|name| {
        query.get(name).filter(|word| !word.is_empty()).map(|word| format!("{name}={}&", encoded(&word)))
    });
    format!("/audit?{}{name}={}", kept.collect::<String>(), encoded(cursor))
}

/// Who did what, to what, and when: for those who manage the organisation.
#[component]
pub fn Audit() -> impl IntoView {
    let query = use_query_map();
    let rows: Loaded<Asked, Page<AuditRow>> =
        Loaded::new(move || Some(query.with(Asked::read)), |asked: Asked| api::audit::list(asked.filter, asked.paging));
    let people: Loaded<(), Vec<Named>> = Loaded::new(|| Some(()), |()| api::people::list());
    view! {
        <Title text="Audit" />
        <Transition fallback=|| {
            view! { <Skeleton lines=8 /> }
        }>
            {move || Suspend::new(async move {
                let people = people.ready().await.map(|people| people.get_untracked()).unwrap_or_default();
                let asked = query.get_untracked();
                match rows.ready().await {
                    Ok(rows) => view! { <Log rows=rows.get_untracked() people query=asked /> }.into_any(),
                    Err(refusal) => view! { <Failed refusal /> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Log(rows: Page<AuditRow>, people: Vec<Named>, query: ParamsMap) -> impl IntoView {
    let export = api_query(&Asked::read(&query).filter);
    let newer = rows.after.as_ref().map(|cursor| page_href(&query, "after", cursor));
    let older = rows.before.as_ref().map(|cursor| page_href(&query, "before", cursor));
    let turn = |href: Option<String>, words: &'static str| {
        href.map(|href| view! { <a class="btn ghost" href=href>{words}</a> })
    };
    let empty = rows.items.is_empty();
    view! {
        <header class="page-head">
            <h1>"Audit"</h1>
            <div class="actions">
                <a class="btn ghost" rel="external" download="audit.csv" href=format!("/api/v1/audit?format=csv{export}")>
                    <Icon name=IconName::Download />
                    "CSV"
                </a>
                <a class="btn ghost" rel="external" download="audit.json" href=format!("/api/v1/audit?format=json{export}")>
                    <Icon name=IconName::Download />
                    "JSON"
                </a>
            </div>
        </header>
        <Filters people query />
        {if empty {
            view! { <Empty title="Nothing was done that fits." /> }.into_any()
        } else {
            view! { <Rows rows=rows.items /> }.into_any()
        }}
        <nav class="actions pager" aria-label="Pages">
            {turn(newer, "Newer")}
            {turn(older, "Older")}
        </nav>
    }
}

#[component]
fn Filters(people: Vec<Named>, query: ParamsMap) -> impl IntoView {
    let word = |name: &str| query.get(name).unwrap_or_default();
    let (person, ai) = (word("person"), word("ai"));
    let [action, subject, since, until] = ["action", "subject", "since", "until"].map(word);
    let choice = move |value: &'static str, words: &'static str| {
        view! {
            <option value=value selected=value == ai>
                {words}
            </option>
        }
    };
    view! {
        <Form method="GET" action="/audit" attr:class="filters" attr:role="search" attr:aria-label="Filter the audit log">
            <label>
                "Person"
                <select class="select" name="person">
                    <option value="">"everyone"</option>
                    {people
                        .into_iter()
                        .map(|Named { id, name }| {
                            let id = id.to_string();
                            let selected = id == person;
                            view! {
                                <option value=id selected=selected>
                                    {name}
                                </option>
                            }
                        })
                        .collect_view()}
                </select>
            </label>
            <label>
                "Made by"
                <select class="select" name="ai">
                    {choice("", "anyone")}
                    {choice("true", "AI edits")}
                    {choice("false", "people only")}
                </select>
            </label>
            <label>
                "Action"
                <input class="input" name="action" list="audit-actions" placeholder="any" value=action />
                <datalist id="audit-actions">
                    {["record", "chat", "turn", "session", "project", "proposal", "token", "person"]
                        .into_iter()
                        .map(|name| view! { <option value=name></option> })
                        .collect_view()}
                </datalist>
            </label>
            <label>
                "Subject’s id"
                <input class="input" name="subject" placeholder="any" value=subject />
            </label>
            <label>
                "From"
                <input class="input" type="date" name="since" value=since />
            </label>
            <label>
                "To"
                <input class="input" type="date" name="until" value=until />
            </label>
            <Button look=Look::Primary submit=true>
                "Filter"
            </Button>
            <a class="btn plain" href="/audit">
                "Clear"
            </a>
        </Form>
    }
}

#[component]
fn Rows(rows: Vec<AuditRow>) -> impl IntoView {
    view! {
        <div class="table wide" tabindex="0" role="region" aria-label="Audit log">
            <table>
                <thead>
                    <tr>
                        <th scope="col">"When"</th>
                        <th scope="col">"Who"</th>
                        <th scope="col">"Did"</th>
                        <th scope="col">"To"</th>
                        <th scope="col">"Version"</th>
                        <th scope="col">"From"</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(|row| view! { <Row row /> }).collect_view()}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Row(row: AuditRow) -> impl IntoView {
    let who = match (row.agent, row.actor) {
        (Some(agent), Some(actor)) => view! {
            <Badge tone=Tone::Accent>"AI"</Badge>
            " "
            <b dir="auto">{agent.name}</b>
            " for "
            <span dir="auto">{actor.name}</span>
        }
        .into_any(),
        (Some(agent), None) => view! {
            <Badge tone=Tone::Accent>"AI"</Badge>
            " "
            <b dir="auto">{agent.name}</b>
        }
        .into_any(),
        (None, Some(actor)) => view! { <b dir="auto">{actor.name}</b> }.into_any(),
        (None, None) => view! { <span class="muted">"unknown"</span> }.into_any(),
    };
    let name = if row.subject.name.is_empty() { row.subject.kind.clone() } else { row.subject.name.clone() };
    let versions = match (row.before_version, row.after_version) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (None, Some(after)) => after.to_string(),
        (Some(before), None) => before.to_string(),
        (None, None) => String::new(),
    };
    let version = match (&row.subject.href, row.after_version) {
        (Some(href), Some(after)) => view! { <a href=format!("{href}#version-{after}")>{versions}</a> }.into_any(),
        _ => versions.into_any(),
    };
    let source =
        row.edit_source.filter(|source| *source == EditSource::Restore).map(|_| view! { " " <Badge>"restore"</Badge> });
    let turn = row.turn_id.map(|turn| {
        view! {
            " "
            <a href=format!("/turns/{turn}")>"turn"</a>
        }
    });
    let subject = match row.subject.href {
        Some(href) => view! {
            <a href=href dir="auto">
                {name}
            </a>
        }
        .into_any(),
        None => view! { <span dir="auto">{name}</span> }.into_any(),
    };
    view! {
        <tr>
            <td class="when">
                <Time at=row.at />
            </td>
            <td>{who}</td>
            <td>
                <code>{row.action}</code>
                {source}
                {turn}
            </td>
            <td>{subject}</td>
            <td>{version}</td>
            <td class="muted">{row.address.unwrap_or_default()}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &[(&str, &str)]) -> ParamsMap {
        text.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_address_is_the_filter() {
        let asked = Asked::read(&query(&[
            ("ai", "true"),
            ("action", " record "),
            ("since", "2026-05-01"),
            ("until", "2026-05-01"),
            ("person", "nonsense"),
        ]));
        assert_eq!(asked.filter.ai, Some(true));
        assert_eq!(asked.filter.person, None);
        assert_eq!(
            api_query(&asked.filter),
            "&ai=true&action=record&since=2026-05-01T00%3A00%3A00Z&until=2026-05-02T00%3A00%3A00Z"
        );
    }

    #[test]
    fn turning_pages_keeps_the_filter() {
        let query = query(&[("ai", "false"), ("action", "a&b"), ("before", "7")]);
        assert_eq!(page_href(&query, "before", "9"), "/audit?ai=false&action=a%26b&before=9");
    }
}
