use leptos::prelude::*;
use leptos_router::hooks::use_location;
use wire::access::Scope;

use crate::{
    routes::project_href,
    state::{Place, Session},
    ui::dom,
};

/// The bar at the side: the parts of the project one is in, and of the workspace. On a narrow page it is a menu.
#[component]
pub fn SideBar(menu: RwSignal<bool>) -> impl IntoView {
    let session = expect_context::<Session>();
    let place = expect_context::<Place>();
    view! {
        <nav
            id="side"
            class="side"
            class:open=menu
            aria-label="Main"
            on:click=move |event| {
                if dom::closest(&event, "a").is_some() {
                    menu.set(false);
                }
            }
            on:keydown=move |event| {
                if event.key() == "Escape" && menu.get_untracked() {
                    event.stop_propagation();
                    menu.set(false);
                    dom::focus(".burger");
                }
            }
        >
            <Transition fallback=|| ()>
                {move || {
                    let project = place.project.get();
                    Suspend::new(async move {
                        match project {
                            Some(slug) => project_part(place, slug).await,
                            None => ().into_any(),
                        }
                    })
                }}
            </Transition>
            <Transition fallback=|| ()>
                {move || Suspend::new(async move {
                    session.me().await.map(|me| workspace_part(me.may(Scope::MembersManage)))
                })}
            </Transition>
        </nav>
    }
}

async fn project_part(place: Place, slug: String) -> AnyView {
    let Ok(overview) = place.overview.ready().await else { return ().into_any() };
    let board = project_href(&slug);
    let (plans, bugs) = (format!("{board}/plans"), format!("{board}/bugs"));
    view! {
        <h2 dir="auto">{move || overview.with(|overview| overview.project.name.clone())}</h2>
        <Entry href=board words="Board" also="initiatives" />
        <Entry
            href=plans
            words="Plans"
            also="plans"
            count=Signal::derive(move || Some(overview.with(|overview| overview.plans.len())))
        />
        <Entry
            href=bugs
            words="Bugs"
            also="bugs"
            count=Signal::derive(move || Some(overview.with(|overview| overview.bugs.len())))
        />
    }
    .into_any()
}

fn workspace_part(audit: bool) -> AnyView {
    view! {
        <h2>"Workspace"</h2>
        <Entry href="/".to_owned() words="Projects" />
        {audit.then(|| view! { <Entry href="/audit".to_owned() words="Audit" /> })}
        <Entry href="/settings/account".to_owned() words="Account" />
    }
    .into_any()
}

/// One link. It is the present one at its own address, and at those of what lies in it.
#[component]
fn Entry(
    href: String,
    words: &'static str,
    /// The folder of the records that lie in it.
    #[prop(optional)]
    also: &'static str,
    #[prop(optional, into)] count: Signal<Option<usize>>,
) -> impl IntoView {
    let path = use_location().pathname;
    let own = href.clone();
    let current = Memo::new(move |_| {
        path.with(|path| {
            let path = path.trim_end_matches('/');
            let inside =
                !also.is_empty() && path.strip_prefix("/p/").is_some_and(|rest| rest.split('/').nth(1) == Some(also));
            if path == own.trim_end_matches('/') {
                Some("page")
            } else if inside {
                Some("true")
            } else {
                None
            }
        })
    });
    view! {
        <a href=href aria-current=move || current.get()>
            <span>{words}</span>
            {move || count.get().map(|count| view! { <span class="count">{count}</span> })}
        </a>
    }
}
