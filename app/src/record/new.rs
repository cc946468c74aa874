use leptos::{html, prelude::*, task::spawn_local};
use leptos_router::{NavigateOptions, hooks::use_navigate};
use uuid::Uuid;
use wire::record::{NewRecord, RecordKind, SEVERITIES};

use crate::{
    api,
    routes::record_href,
    ui::{Button, Dialog, Field, Icon, IconName, Look},
};

/// What a new record may hang under: the id and the title of each.
pub type Parents = Vec<(Uuid, String)>;

/// A button that opens the dialog for a new record, and leads to the record once it is made.
#[component]
pub fn NewRecordButton(
    kind: RecordKind,
    project_id: Uuid,
    /// The project's slug.
    #[prop(into)]
    project: String,
    /// With one parent there is nothing to choose; an initiative has none.
    #[prop(optional, into)]
    parents: Signal<Parents>,
    #[prop(optional)] look: Look,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let id = match kind {
        RecordKind::Initiative => "new-initiative",
        RecordKind::Plan => "new-plan",
        RecordKind::Bug => "new-bug",
    };
    let words = format!("New {}", kind.name());
    let title = words.clone();
    view! {
        <Button look=look on:click=move |_| open.set(true)>
            <Icon name=IconName::Plus />
            {words}
        </Button>
        <Dialog open id title>
            <NewForm kind project_id project=project.clone() parents />
        </Dialog>
    }
}

#[component]
fn NewForm(kind: RecordKind, project_id: Uuid, project: String, parents: Signal<Parents>) -> impl IntoView {
    let title = NodeRef::<html::Input>::new();
    let body = NodeRef::<html::Textarea>::new();
    let parent = NodeRef::<html::Select>::new();
    let severity = NodeRef::<html::Select>::new();
    let problem = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let navigate = use_navigate();
    Effect::new(move |_| {
        if let Some(title) = title.get() {
            let _ = title.focus();
        }
    });
    let send = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if busy.get_untracked() {
            return;
        }
        let only = parents.with_untracked(|parents| match parents.as_slice() {
            [(id, _)] => Some(*id),
            _ => None,
        });
        let chosen = parent.get_untracked().and_then(|parent| parent.value().parse().ok());
        let new = NewRecord {
            kind,
            title: title.get_untracked().map(|title| title.value()).unwrap_or_default(),
            body: body.get_untracked().map(|body| body.value()).filter(|body| !body.is_empty()),
            status: None,
            parent_id: kind.parent().and(only.or(chosen)),
            severity: severity.get_untracked().map(|severity| severity.value()),
        };
        let (navigate, project) = (navigate.clone(), project.clone());
        busy.set(true);
        spawn_local(async move {
            match api::record::create(project_id, new).await {
                Ok(record) => navigate(&record_href(&project, record.kind, &record.slug), NavigateOptions::default()),
                Err(refusal) => {
                    let _ = problem.try_set(Some(refusal.detail()));
                }
            }
            let _ = busy.try_set(false);
        });
    };
    let several = parents.with_untracked(|parents| parents.len() > 1);
    let none = kind.parent().is_some() && parents.with_untracked(Vec::is_empty);
    if none {
        let above = kind.parent().map_or("", RecordKind::name);
        return view! {
            <p class="dialog-body">
                {format!("A {} lies under a {above}, and there is none yet. Make the {above} first.", kind.name())}
            </p>
        }
        .into_any();
    }
    view! {
        <form class="form" on:submit=send>
            <Field id="new-title" label="Title">
                <input id="new-title" class="input" node_ref=title required maxlength="200" autocomplete="off" dir="auto" />
            </Field>
            {several
                .then(|| {
                    view! {
                        <Field id="new-parent" label=format!("Under which {}", kind.parent().map_or("", RecordKind::name))>
                            <select id="new-parent" class="select" node_ref=parent>
                                {parents
                                    .get_untracked()
                                    .into_iter()
                                    .map(|(id, title)| view! { <option value=id.to_string()>{title}</option> })
                                    .collect_view()}
                            </select>
                        </Field>
                    }
                })}
            {(kind == RecordKind::Bug)
                .then(|| {
                    view! {
                        <Field id="new-severity" label="Severity">
                            <select id="new-severity" class="select" node_ref=severity>
                                {SEVERITIES
                                    .into_iter()
                                    .map(|name| view! { <option value=name selected=name == "medium">{name}</option> })
                                    .collect_view()}
                            </select>
                        </Field>
                    }
                })}
            <Field id="new-body" label="Text" hint="Markdown; it can be written later.">
                <textarea id="new-body" class="textarea" node_ref=body rows="6" dir="auto"></textarea>
            </Field>
            {move || problem.get().map(|problem| view! { <p class="problem" role="alert">{problem}</p> })}
            <div class="dialog-foot">
                <Button look=Look::Primary submit=true disabled=busy>
                    {format!("Create {}", kind.name())}
                </Button>
            </div>
        </form>
    }
    .into_any()
}
