use leptos::{html, prelude::*};
use web_sys::PointerEvent;

use super::width;
use crate::state::DrawerState;

/// One drag of the edge: the pointer that began it, where, and how wide the drawer was.
#[derive(Clone, Copy)]
struct Drag {
    pointer: i32,
    from: f64,
    width: f64,
}

/// The drawer's left edge: dragged by a pointer, moved by keys, set back by a double click.
#[component]
pub fn Edge() -> impl IntoView {
    let drawer = expect_context::<DrawerState>();
    let edge = NodeRef::<html::Div>::new();
    let drag = RwSignal::new(None::<Drag>);

    let begin = move |event: PointerEvent| {
        if event.button() != 0 || drag.get_untracked().is_some() {
            return;
        }
        let Some(edge) = edge.get_untracked() else { return };
        // neither a selection nor a native drag; so the focus is taken by hand
        event.prevent_default();
        let _ = edge.focus();
        // every move comes here, over a frame and outside the window too
        let _ = edge.set_pointer_capture(event.pointer_id());
        drag.set(Some(Drag {
            pointer: event.pointer_id(),
            from: f64::from(event.client_x()),
            width: drawer.width_now(),
        }));
    };
    let ours = move |event: &PointerEvent| drag.get_untracked().filter(|drag| drag.pointer == event.pointer_id());
    let follow = move |event: PointerEvent| {
        let Some(begun) = ours(&event) else { return };
        if event.buttons() == 0 {
            // released where nobody told us
            drag.set(None);
            drawer.drop();
        } else {
            drawer.drag(begun.width + begun.from - f64::from(event.client_x()));
        }
    };
    let end = move |event: PointerEvent| {
        if ours(&event).is_some() {
            drag.set(None);
            drawer.drop();
        }
    };
    let by_key = move |event: web_sys::KeyboardEvent| {
        if let Some(width) = width::by_key(&event.key(), drawer.width_now(), drawer.viewport_now()) {
            event.prevent_default();
            drawer.prefer(width);
        }
    };
    on_cleanup(move || drawer.drop());

    view! {
        <div
            class="drawer-edge"
            class:dragged=move || drag.get().is_some()
            node_ref=edge
            role="separator"
            aria-orientation="vertical"
            aria-label="Resize chat"
            aria-controls="chat"
            aria-valuemin=width::LEAST.to_string()
            aria-valuemax=move || drawer.most().map(|most| most.to_string())
            aria-valuenow=move || drawer.width().to_string()
            title="Drag to resize; double click resets"
            tabindex="0"
            on:pointerdown=begin
            on:pointermove=follow
            on:pointerup=end
            on:pointercancel=end
            on:lostpointercapture=end
            on:dblclick=move |_| drawer.prefer(width::DEFAULT)
            on:keydown=by_key
        ></div>
    }
}
