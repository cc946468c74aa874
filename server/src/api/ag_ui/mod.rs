//! The door for AG-UI clients: one message in, one strict event stream out.

mod input;
mod strict;

use std::collections::VecDeque;

use axum::{body::Bytes, extract, response::Response};
use engine::{
    Engine,
    access::Actor,
    chat::{self, TurnLog},
};
use futures::{StreamExt, stream};
use input::RunAgentInput;
use strict::Strict;
use utoipa_axum::{router::OpenApiRouter, routes};
use wire::{chat::SendMessage, error::Problem};

use super::input::Json;
use crate::http::{
    State,
    refusal::{Refusal, Result},
    session::By,
    sse,
};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(run))
}

/// Send the last user message of an AG-UI client to the chat that is its thread, and stream the turn as AG-UI events
#[utoipa::path(post, path = "/api/v1/ag-ui", tag = "events",
    responses((status = OK, body = String, content_type = "text/event-stream")))]
async fn run(
    extract::State(state): extract::State<State>,
    By(actor): By,
    Json(input): Json<RunAgentInput>,
) -> Result<Response> {
    let frames = match begin(state.engine(), &actor, &input).await {
        Ok((log, strict)) => stream::unfold(Run { log, strict, ready: VecDeque::new() }, Run::next).boxed(),
        // whatever is wrong is told as the protocol tells it
        Err(problem) => stream::iter(strict::failed(&input.thread_id, &input.run_id, &problem).map(framed)).boxed(),
    };
    Ok(sse::answer(frames, state.closing()))
}

async fn begin(
    engine: &Engine,
    actor: &Actor,
    input: &RunAgentInput,
) -> std::result::Result<(TurnLog, Strict), Problem> {
    let told = |error: engine::Error| Refusal::from(error).problem();
    let missing = || engine::Error::NotFound("The chat").problem();
    let chat_id = input.thread_id.parse().map_err(|_| missing())?;
    let (client_id, text) =
        input.last_message().map_err(|detail| engine::Error::invalid("messages", detail).problem())?;
    let message = SendMessage { client_id, text, ..SendMessage::default() };
    let sent = chat::send(engine, actor, chat_id, message).await.map_err(told)?;
    let turn = sent.turn.ok_or_else(|| engine::Error::invalid("turn", "This message starts no turn.").problem())?;
    let log = chat::turn_log(engine, actor, turn.id, None).await.map_err(told)?;
    Ok((log, Strict::new(chat_id, turn.id)))
}

fn framed(event: serde_json::Value) -> Bytes {
    sse::frame(None, &event.to_string())
}

struct Run {
    log: TurnLog,
    strict: Strict,
    ready: VecDeque<Bytes>,
}

impl Run {
    async fn next(mut self) -> Option<(Bytes, Run)> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some((frame, self));
            }
            if self.strict.is_over() {
                return None;
            }
            match self.log.next().await {
                // attached and heartbeat are ours, not the run's
                Some(frame) if frame.seq.is_none() => self.ready.push_back(sse::COMMENT),
                Some(frame) => self.ready.extend(self.strict.take(&frame.json).into_iter().map(framed)),
                None => self.ready.extend(self.strict.cut_off().into_iter().map(framed)),
            }
        }
    }
}
