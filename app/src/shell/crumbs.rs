use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::{
    routes::{project_href, record_href},
    state::Place,
};

/// The way from the projects to the page.
#[component]
pub fn Crumbs() -> impl IntoView {
    let place = expect_context::<Place>();
    let path = use_location().pathname;
    view! {
        <nav class="crumbs" aria-label="Breadcrumb">
            <Transition fallback=|| ()>
                {move || {
                    let trail = trail(place, path.get());
                    Suspend::new(async move { view! { <Trail trail=trail.await /> } })
                }}
            </Transition>
        </nav>
    }
}

type Step = (Option<String>, String);

/// The steps, the last one being the page itself; empty where the page says why it cannot be shown.
async fn trail(place: Place, path: String) -> Signal<Vec<Step>> {
    let Some(project) = place.project.get_untracked() else {
        let name = match path.as_str() {
            "/" => "Projects",
            "/audit" => "Audit",
            "/settings/account" => "Account",
            _ => "",
        };
        let steps: Vec<Step> = if name.is_empty() { Vec::new() } else { vec![(None, name.to_owned())] };
        return Signal::stored(steps);
    };
    if place.at.get_untracked().is_some() {
        let Ok(detail) = place.record.ready().await else { return Signal::stored(Vec::new()) };
        return Signal::derive(move || {
            detail.with(|detail| {
                let page = &detail.page;
                let above = page
                    .ancestors
                    .iter()
                    .map(|line| (Some(record_href(&page.project.slug, line.kind, &line.slug)), line.title.clone()));
                std::iter::once((Some(project_href(&page.project.slug)), page.project.name.clone()))
                    .chain(above)
                    .chain(std::iter::once((None, page.record.title.clone())))
                    .collect()
            })
        });
    }
    let Ok(overview) = place.overview.ready().await else { return Signal::stored(Vec::new()) };
    Signal::derive(move || {
        let name = overview.with(|overview| overview.project.name.clone());
        let part = path.trim_end_matches('/').strip_prefix(&format!("/p/{project}/")).map(str::to_owned);
        match part.as_deref() {
            Some("plans") => vec![(Some(project_href(&project)), name), (None, "Plans".to_owned())],
            Some("bugs") => vec![(Some(project_href(&project)), name), (None, "Bugs".to_owned())],
            _ => vec![(None, name)],
        }
    })
}

#[component]
fn Trail(trail: Signal<Vec<Step>>) -> impl IntoView {
    view! {
        <ol class="plain">
            {move || {
                trail
                    .get()
                    .into_iter()
                    .map(|(href, words)| match href {
                        Some(href) => {
                            view! {
                                <li>
                                    <a href=href dir="auto">
                                        {words}
                                    </a>
                                </li>
                            }
                                .into_any()
                        }
                        None => {
                            view! {
                                <li>
                                    <b aria-current="page" dir="auto">
                                        {words}
                                    </b>
                                </li>
                            }
                                .into_any()
                        }
                    })
                    .collect_view()
            }}
        </ol>
    }
}
