use leptos::prelude::*;
use wire::record::RecordKind;

use super::{banners::Missing, outgoing::OutgoingView};
use crate::state::{chats::Chats, outbox::Outgoing};

/// A chat that nobody has written in: what it is about, and what can be said. It is stored with its first message.
#[component]
pub fn NewChat() -> impl IntoView {
    let chats = expect_context::<Chats>();
    let starting = chats.starting();
    let examples = move || {
        let subject = chats.subject()?;
        let says: &[&str] = match subject.kind {
            RecordKind::Initiative => {
                &["Draft three plans for this initiative based on the spec.", "Which open questions are left?"]
            }
            RecordKind::Plan => &["Fix the typo on the third acceptance criterion.", "Is every criterion testable?"],
            RecordKind::Bug => &["What would a fix have to change?"],
        };
        Some((subject.title, says))
    };
    view! {
        <Missing />
        <div class="transcript" role="log" aria-label="Conversation" aria-live="off" tabindex="0">
            <Show when=move || starting.read().is_empty()>
                {move || examples().map(|(title, says)| view! {
                    <div class="new-chat">
                        <p class="new-chat-title">"About “" <bdi>{title}</bdi> "”"</p>
                        <p class="muted">"Say what should change. It becomes a version that you can compare and take back."</p>
                        <ul class="plain">
                            {says.iter().map(|say| view! {
                                <li>
                                    <button type="button" class="example" on:click=move |_| super::draft::give_back(say)>{*say}</button>
                                </li>
                            }).collect_view()}
                        </ul>
                    </div>
                })}
            </Show>
            <div class="transcript-inside">
                <For each=move || starting.get() key=Outgoing::key let:outgoing>
                    <OutgoingView outgoing />
                </For>
            </div>
        </div>
    }
}
