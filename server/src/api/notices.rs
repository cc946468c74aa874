//! The one event stream of a browser tab.

use axum::{extract, response::Response};
use engine::feed::{self, NoticeFrame};
use futures::{StreamExt, stream};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::http::{
    State,
    refusal::Result,
    session::By,
    sse::{self, Cursor},
};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(notices))
}

/// What the data of a `reset` says: everything shown is to be fetched again.
const RESET: &str = r#"{"topic":"reset","id":null,"kind":"reset"}"#;

/// Everything that changes and that you may see, ids only; says `reset` when the cursor is too old
#[utoipa::path(get, path = "/api/v1/events", tag = "events",
    params(("last-event-id" = Option<String>, Header, description = "Goes on after this place")),
    responses((status = OK, body = String, content_type = "text/event-stream")))]
async fn notices(
    extract::State(state): extract::State<State>,
    By(actor): By,
    Cursor(cursor): Cursor,
) -> Result<Response> {
    let notices = feed::notices(state.engine(), &actor, cursor.as_deref()).await?;
    // a tab that loses its stream before anything was said goes on from here all the same
    let first = sse::place(&notices.cursor());
    let frames = stream::unfold(notices, |mut notices| async move {
        // when the database does not answer, the tab comes back with its cursor
        let frame = match notices.next().await.ok()? {
            NoticeFrame::Notice { cursor, notice } => {
                sse::frame(Some(&cursor), &serde_json::to_string(&notice).unwrap_or_default())
            }
            NoticeFrame::Reset { cursor } => sse::frame(Some(&cursor), RESET),
            NoticeFrame::Heartbeat => sse::place(&notices.cursor()),
        };
        Some((frame, notices))
    });
    Ok(sse::answer(stream::iter([first]).chain(frames), state.closing()))
}
