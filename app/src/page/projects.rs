use leptos::{html, prelude::*, task::spawn_local};
use leptos_meta::Title;
use leptos_router::{NavigateOptions, hooks::use_navigate};
use wire::{
    access::Scope,
    record::{NewProject, Project},
};

use super::Failed;
use crate::{
    api,
    live::{Heard, Live},
    routes::project_href,
    state::{Loaded, Session},
    ui::{Button, Dialog, Empty, Field, Icon, IconName, Look, Skeleton, Time},
};

/// All projects of the organisation.
#[component]
pub fn Projects() -> impl IntoView {
    let session = expect_context::<Session>();
    let projects: Loaded<(), Vec<Project>> = Loaded::new(|| Some(()), |()| api::project::list());
    expect_context::<Live>().on(move |heard| {
        if matches!(heard, Heard::Reset) || matches!(heard, Heard::Notice(notice) if notice.topic == "project") {
            projects.refresh();
        }
    });
    view! {
        <Title text="Projects" />
        <Transition fallback=|| {
            view! { <Skeleton lines=4 /> }
        }>
            {move || Suspend::new(async move {
                let may = session.me().await.is_some_and(|me| me.may(Scope::InitiativesManage));
                match projects.ready().await {
                    Ok(projects) => view! { <List projects may /> }.into_any(),
                    Err(refusal) => view! { <Failed refusal /> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn List(projects: Signal<Vec<Project>>, may: bool) -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <header class="page-head">
            <h1>"Projects"</h1>
            {may
                .then(|| {
                    view! {
                        <Button look=Look::Primary on:click=move |_| open.set(true)>
                            <Icon name=IconName::Plus />
                            "New project"
                        </Button>
                    }
                })}
        </header>
        <Dialog open id="new-project" title="New project">
            <NewForm />
        </Dialog>
        <Show
            when=move || !projects.with(Vec::is_empty)
            fallback=|| {
                view! {
                    <Empty title="No projects yet.">
                        <p>"A project holds initiatives, plans and bugs, and the chats about them."</p>
                    </Empty>
                }
            }
        >
            <ul class="plain projects" aria-label="Projects">
                <For
                    each=move || projects.get()
                    key=|project| (project.id, project.name.clone(), project.description.clone())
                    let:project
                >
                    <li>
                        <a href=project_href(&project.slug) dir="auto">
                            {project.name}
                        </a>
                        <p dir="auto">{project.description}</p>
                        <p class="muted">"since " <Time at=project.created_at /></p>
                    </li>
                </For>
            </ul>
        </Show>
    }
}

#[component]
fn NewForm() -> impl IntoView {
    let name = NodeRef::<html::Input>::new();
    let description = NodeRef::<html::Textarea>::new();
    let problem = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let navigate = use_navigate();
    let send = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if busy.get_untracked() {
            return;
        }
        let new = NewProject {
            name: name.get_untracked().map(|name| name.value()).unwrap_or_default(),
            description: description.get_untracked().map(|text| text.value()).filter(|text| !text.is_empty()),
        };
        let navigate = navigate.clone();
        busy.set(true);
        spawn_local(async move {
            match api::project::create(new).await {
                Ok(project) => navigate(&project_href(&project.slug), NavigateOptions::default()),
                Err(refusal) => {
                    let _ = problem.try_set(Some(refusal.detail()));
                }
            }
            let _ = busy.try_set(false);
        });
    };
    view! {
        <form class="form" on:submit=send>
            <Field id="project-name" label="Name">
                <input id="project-name" class="input" node_ref=name required maxlength="120" autofocus dir="auto" />
            </Field>
            <Field id="project-about" label="Description">
                <textarea id="project-about" class="textarea" node_ref=description rows="3" dir="auto"></textarea>
            </Field>
            {move || problem.get().map(|problem| view! { <p class="problem" role="alert">{problem}</p> })}
            <div class="dialog-foot">
                <Button look=Look::Primary submit=true disabled=busy>
                    "Create project"
                </Button>
            </div>
        </form>
    }
}
