use std::collections::HashSet;

use futures::StreamExt;
use wire::event::{Banner, Custom};
use wire::turn::{Turn, Usage as WireUsage};

use super::answer::WholeCall;
use super::ending::Ending;
use super::patience::Patience;
use super::run::{Ready, Run, calls};
use crate::error::{Error, Result};
use crate::provider::{Block, Completion, Delta, Item, ProviderError, Request, StopReason, Usage, history, price};
use crate::store::tool_call::NewToolCall;
use crate::store::turn::{self as store_turn, usd};
use crate::store::{step, tool_call};

/// The longest answer that is asked for, in tokens.
const LONGEST_ANSWER: u32 = 16_384;

/// What a call of the model led to.
pub(super) enum StepEnd {
    /// Tool calls are to be run: what the model said, with ids that are unique in the chat.
    Calls(Vec<Block>, Usage),
    Over(Ending),
}

enum Streamed {
    Complete(Completion),
    Stopped(Usage),
    Failed(ProviderError, Usage),
}

/// Calls the model once and shows what it says as it says it. An answer that holds nothing is asked for once more; a refused image is
/// left out.
pub(super) async fn call(run: &mut Run) -> Result<StepEnd> {
    let mut spent = Usage::default();
    let mut asked_again = false;
    loop {
        run.answer.begin_step();
        match stream(run).await? {
            Streamed::Complete(completion) => {
                let mut usage = completion.usage;
                usage += spent;
                let empty = !completion.blocks.iter().any(says_something);
                if empty && completion.stop != StopReason::Refusal && !asked_again {
                    asked_again = true;
                    spent = usage;
                    run.answer.void_step();
                    continue;
                }
                return Ok(complete(run, completion, usage, empty));
            }
            Streamed::Stopped(usage) => {
                spent += usage;
                return Ok(StepEnd::Over(partly(run, Ending::stopped(), spent)));
            }
            Streamed::Failed(ProviderError::BadImage { .. }, usage) if !ready(run)?.without_images => {
                spent += usage;
                run.answer.void_step();
                ready_mut(run)?.without_images = true;
            }
            Streamed::Failed(failure, usage) => {
                spent += usage;
                return Ok(StepEnd::Over(partly(run, Ending::provider(&failure), spent)));
            }
        }
    }
}

async fn stream(run: &mut Run) -> Result<Streamed> {
    let request = request(run)?;
    let mut stream = ready(run)?.provider.stream(request, run.signals.stop.child_token());
    let mut usage = Usage::default();
    loop {
        let delta = tokio::select! {
            biased;
            () = run.signals.leave.cancelled() => return Err(Error::Fenced),
            () = run.signals.stop.cancelled() => return Ok(Streamed::Stopped(usage)),
            delta = stream.next() => delta,
        };
        match delta {
            Some(Ok(Delta::Done(completion))) => return Ok(Streamed::Complete(completion)),
            Some(Ok(Delta::Usage(so_far))) => usage = so_far,
            Some(Ok(delta)) => {
                show(run, delta)?;
                run.show();
            }
            Some(Err(ProviderError::Stopped)) => return Ok(Streamed::Stopped(usage)),
            Some(Err(failure)) => return Ok(Streamed::Failed(failure, usage)),
            // a stream says how it ended; one that does not was cut
            None => return Ok(Streamed::Failed(ProviderError::Cut, usage)),
        }
    }
}

fn show(run: &mut Run, delta: Delta) -> Result<()> {
    if run.taken.first_token_at.is_none() && !matches!(delta, Delta::Waiting { .. } | Delta::Restarted) {
        run.taken.first_token_at = Some(run.engine.now());
    }
    match delta {
        Delta::Text(text) => run.answer.text(&text),
        Delta::Reasoning(text) => run.answer.reasoning(&text),
        Delta::ToolCallStart { id, name, .. } => {
            let id = unique(&mut ready_mut(run)?.call_ids, id);
            run.answer.call_start(id, &name);
        }
        Delta::ToolCallArgs { index, json } => run.answer.call_args(index, &json),
        Delta::Waiting { seconds, reason } => {
            let text = format!("{reason} Trying again in {seconds} s.");
            run.answer.tell(Custom::Banner(Banner { code: "waiting".to_owned(), text, href: None, alert: false }));
        }
        Delta::Restarted => run.answer.void_step(),
        Delta::Usage(_) | Delta::Done(_) => {}
    }
    Ok(())
}

/// The id, or one made from it that the conversation has not had.
fn unique(known: &mut HashSet<String>, id: String) -> String {
    let mut candidate = id.clone();
    let mut number = 2;
    while !known.insert(candidate.clone()) {
        candidate = format!("{id}-{number}");
        number += 1;
    }
    candidate
}

fn request(run: &Run) -> Result<Request> {
    let ready = ready(run)?;
    let mut tools = run.engine.tools().specs(ready.surface, ready.kind, &ready.actor.scopes);
    if let Some(allowed) = &ready.allowed {
        tools.retain(|tool| allowed.contains(&tool.name));
    }
    let items = history::mend(ready.items.clone());
    Ok(Request {
        model: run.row.turn.model.clone(),
        system: ready.system.clone(),
        items: if ready.without_images { history::without_images(items) } else { items },
        tools,
        max_output_tokens: LONGEST_ANSWER,
        cache: true,
    })
}

fn says_something(block: &Block) -> bool {
    match block {
        Block::Text { text } => !text.trim().is_empty(),
        Block::ToolCall { .. } => true,
        Block::Reasoning { .. } | Block::Image { .. } => false,
    }
}

fn complete(run: &mut Run, completion: Completion, usage: Usage, empty: bool) -> StepEnd {
    let Completion { mut blocks, stop, .. } = completion;
    let mut index = 0;
    for block in &mut blocks {
        if let Block::ToolCall { id, .. } = block {
            if let Some(shown) = run.answer.call_id(index) {
                shown.clone_into(id);
            }
            index += 1;
        }
    }
    if index > 0 {
        return StepEnd::Calls(blocks, usage);
    }
    let ending = match stop {
        StopReason::Refusal if empty => Ending::failed(
            "provider_declined",
            "The model declined to answer this. Say it in another way, or choose another model.",
        ),
        _ if empty => Ending::failed(
            "provider_empty",
            "The model answered with nothing. Send the message again, or choose another model.",
        ),
        StopReason::MaxTokens => Ending::cut_short(
            "answer_cut",
            "The answer reached its greatest length and was cut here. Say “go on” for the rest.",
        ),
        _ => Ending::completed(),
    };
    StepEnd::Over(ending.with_step(blocks, usage))
}

/// A step that was not completed: its text stays, its half-received calls go.
fn partly(run: &mut Run, ending: Ending, usage: Usage) -> Ending {
    run.answer.drop_calls();
    let text = run.answer.step_text();
    let blocks = if text.trim().is_empty() { Vec::new() } else { vec![Block::Text { text }] };
    ending.with_step(blocks, usage)
}

impl Run {
    /// Counts a call of the model: last value of each call, calls added up.
    pub fn count(&mut self, usage: &Usage) {
        let cost = price::cost(&self.row.turn.model, usage);
        let before = if self.taken.iterations == 0 { Some(0) } else { self.taken.cost_micro_usd };
        self.taken.cost_micro_usd = before.zip(cost).map(|(before, this)| before.saturating_add(this));
        self.taken.iterations += 1;
        self.taken.usage += *usage;
    }

    /// The turn as it stands.
    pub fn turn(&self) -> Turn {
        Turn {
            iterations: self.taken.iterations,
            tool_calls: self.taken.tool_calls,
            usage: self.usage(),
            first_token_at: self.taken.first_token_at,
            ..self.row.turn.clone()
        }
    }

    fn usage(&self) -> WireUsage {
        let usage = self.taken.usage;
        WireUsage {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_read_tokens: usage.cache_read_tokens,
            cache_write_tokens: usage.cache_write_tokens,
            reasoning_tokens: usage.reasoning_tokens,
            cost_usd: self.taken.cost_micro_usd.map(usd),
        }
    }
}

/// Stores a step with its tool calls, which are run next.
pub(super) async fn store(run: &mut Run, blocks: Vec<Block>, usage: Usage) -> Result<()> {
    let now = run.engine.now();
    run.count(&usage);
    run.pending = calls(&blocks).collect();
    run.taken.tool_calls += i32::try_from(run.pending.len()).unwrap_or(i32::MAX);
    for call in &run.pending {
        let label = run.engine.tools().label(&call.name, &call.input);
        let input = call.malformed.clone().map_or_else(|| call.input.clone(), serde_json::Value::String);
        run.answer.call_whole(WholeCall { id: &call.id, label, input, started_at: now });
    }
    run.answer.tell(Custom::Turn(Box::new(run.turn())));
    run.answer.tell(Custom::Usage { turn_id: run.row.turn.id, usage: run.usage() });
    let events = run.answer.take();
    run.writer.drain().await?;
    let mut patience = Patience::new();
    loop {
        match store_once(run, &blocks, &usage, &events).await {
            Ok(()) => break,
            Err(failure) => patience.wait(failure, &run.signals.leave).await?,
        }
    }
    ready_mut(run)?.items.push(Item::Assistant(blocks));
    Ok(())
}

async fn store_once(run: &Run, blocks: &[Block], usage: &Usage, events: &[wire::event::Event]) -> Result<()> {
    let number = run.taken.iterations;
    let mut tx = run.engine.begin().await?;
    let now = tx.now();
    let last = tx.append(run.chat_id(), run.fence(), events).await?;
    // a commit whose answer was lost has happened all the same
    if step::exists(&mut tx, run.turn_id(), number).await? {
        return Ok(());
    }
    step::insert(&mut tx, run.turn_id(), number, &run.row.turn.model, blocks, usage, now).await?;
    let rows: Vec<NewToolCall<'_>> =
        run.pending.iter().map(|call| NewToolCall { id: &call.id, name: &call.name, input: &call.input }).collect();
    tool_call::insert(&mut tx, run.turn_id(), number, &rows, now).await?;
    store_turn::set_parts(
        &mut tx,
        run.answer.message_id(),
        wire::message::MessageState::Streaming,
        run.answer.parts(),
        last,
    )
    .await?;
    store_turn::take(&mut tx, run.turn_id(), &run.taken).await?;
    tx.commit().await?;
    run.writer.saw(last);
    Ok(())
}

/// What [`super::prepare::prepare`] made; a turn is never driven without it.
pub(super) fn ready(run: &Run) -> Result<&Ready> {
    run.ready.as_ref().ok_or(Error::Fenced)
}

pub(super) fn ready_mut(run: &mut Run) -> Result<&mut Ready> {
    run.ready.as_mut().ok_or(Error::Fenced)
}
