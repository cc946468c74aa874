use leptos::{html, prelude::*, task::spawn_local};

use crate::api;
use crate::state::{Toasts, chats::Chats, conversation::Conversation};
use crate::ui::dom;

/// The chat's name; a click makes it a field. Enter keeps, Escape takes back.
#[component]
pub fn Name(conversation: Conversation) -> impl IntoView {
    let toasts = expect_context::<Toasts>();
    let chats = expect_context::<Chats>();
    let chat = conversation.chat();
    let editing = RwSignal::new(false);
    let field = NodeRef::<html::Input>::new();
    let button = NodeRef::<html::Button>::new();
    let name = {
        let chat = chat.clone();
        move || chat.read().name.clone()
    };
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            let _ = field.focus();
            field.select();
        }
    });
    let leave = move |refocus: bool| {
        editing.set(false);
        if refocus {
            request_animation_frame(move || {
                if let Some(button) = button.get_untracked() {
                    let _ = button.focus();
                }
            });
        }
    };
    let keep = StoredValue::new({
        let conversation = conversation.clone();
        move |refocus: bool| {
            if !editing.get_untracked() {
                return;
            }
            let Some(field) = field.get_untracked() else { return };
            let wanted = field.value().trim().to_owned();
            leave(refocus);
            if wanted.is_empty() || wanted == conversation.chat().read_untracked().name {
                return;
            }
            let conversation = conversation.clone();
            spawn_local(async move {
                match api::chat::rename(conversation.id(), wanted).await {
                    Ok(chat) => {
                        conversation.set_chat(chat);
                        chats.refresh_lines();
                    }
                    Err(refusal) => toasts.fail(refusal.detail()),
                }
            });
        }
    });
    let on_key = move |event: web_sys::KeyboardEvent| {
        if dom::is_composing(&event) {
            return;
        }
        match event.key().as_str() {
            "Enter" => keep.with_value(|keep| keep(true)),
            "Escape" => leave(true),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let shown = name.clone();
    view! {
        <Show
            when=move || editing.get()
            fallback=move || {
                let shown = shown.clone();
                view! {
                    <h2 class="chat-name">
                        <button
                            type="button"
                            node_ref=button
                            title="Rename"
                            dir="auto"
                            on:click=move |_| editing.set(true)
                        >
                            {shown}
                        </button>
                    </h2>
                }
            }
        >
            <input
                class="chat-name-field"
                type="text"
                aria-label="Chat name"
                maxlength="200"
                dir="auto"
                node_ref=field
                value=name.clone()
                on:keydown=on_key
                on:blur=move |_| keep.with_value(|keep| keep(false))
            />
        </Show>
    }
}
