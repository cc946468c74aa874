use leptos::prelude::*;
use wire::event::Banner;

use crate::state::{
    chats::Chats,
    conversation::{Conversation, Link},
};

/// What the person should know of the surroundings, above the transcript.
#[component]
pub fn Banners(conversation: Conversation) -> impl IntoView {
    let chats = expect_context::<Chats>();
    let banners = conversation.banners();
    let link = conversation.link();
    view! {
        <Missing />
        {move || match link.get() {
            Link::Still | Link::Live => ().into_any(),
            Link::Reconnecting => view! {
                <p class="banner late" role="status">"The connection is lost. Reconnecting; nothing you wrote is lost."</p>
            }
            .into_any(),
            Link::Closed(why) => view! {
                <p class="banner" role="status">
                    <span>{why}</span>
                    <button type="button" on:click=move |_| chats.retry()>"Read again"</button>
                </p>
            }
            .into_any(),
        }}
        <For each=move || banners.get() key=|banner| (banner.code.clone(), banner.text.clone()) let:banner>
            <BannerView banner />
        </For>
    }
}

/// The chat that was asked for is not there.
#[component]
pub fn Missing() -> impl IntoView {
    let chats = expect_context::<Chats>();
    move || chats.missing().map(|why| view! { <p class="banner" role="status">{why}</p> })
}

#[component]
fn BannerView(banner: Banner) -> impl IntoView {
    let role = if banner.alert { "alert" } else { "status" };
    view! {
        <p class="banner" class:bad=banner.alert role=role>
            <span>{banner.text}</span>
            {banner.href.map(|href| view! { <a href=href>"What to do"</a> })}
        </p>
    }
}
