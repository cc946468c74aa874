use leptos::prelude::*;

use crate::state::{
    chats::Chats,
    growing::Growing,
    outbox::{Outgoing, Sending},
};
use crate::ui::{Button, Look};

use super::text::Words;

/// A message of the person's that is not in the log yet.
#[component]
pub fn OutgoingView(outgoing: Outgoing) -> impl IntoView {
    let chats = expect_context::<Chats>();
    let text = Growing::new(&outgoing.message.text, true);
    let note = match outgoing.state {
        Sending::OnItsWay => view! { <p class="msg-time">"sending…"</p> }.into_any(),
        Sending::Stored => ().into_any(),
        Sending::Failed(why) => {
            let (again, away) = (outgoing.client_id.clone(), outgoing.client_id.clone());
            view! {
                <div class="turn-note failed" role="alert">
                    <span>{format!("Not sent. {why}")}</span>
                    <Button look=Look::Plain on:click=move |_| chats.send_again(&again)>"Retry"</Button>
                    <Button look=Look::Plain on:click=move |_| chats.discard(&away)>"Discard"</Button>
                </div>
            }
            .into_any()
        }
    };
    view! {
        <article class="msg me outgoing" aria-label="You, now">
            <div class="bubble"><Words text /></div>
            {note}
        </article>
    }
}
