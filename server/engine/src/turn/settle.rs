use std::sync::Arc;

use wire::chat::LastLine;
use wire::event::{Custom, Event, RunResult};
use wire::fold::first_line;
use wire::message::{Changes, MessageState, Part, RefusedFile};
use wire::turn::{Turn, TurnError, TurnState};

use super::ending::{Ending, LastStep};
use super::patience::Patience;
use super::run::Run;
use crate::error::{Error, Result};
use crate::record::{AgentHand, reconcile};
use crate::store::{Tx, person, step, turn as store_turn};
use crate::workspace::{ChangeSet, Workspace};

/// Writes the end of a turn in one transaction: what it changed, its message, what it took, how it ended. Exactly once: a crash before
/// the commit leaves nothing, and after it the turn is over for everyone.
pub(super) async fn settle(run: &mut Run, mut ending: Ending) -> Result<()> {
    if let Some(say) = &ending.say {
        run.answer.close();
        run.answer.text(say);
    }
    run.answer.close();
    if let Some(banner) = ending.banner.take() {
        run.answer.tell(Custom::Banner(banner));
    }
    if let Some(step) = &ending.step {
        run.count(&step.usage);
    }
    let found = read_back(run).await;
    run.show();
    run.writer.drain().await?;
    let mut patience = Patience::new();
    loop {
        match settle_once(run, &ending, found.as_ref()).await {
            Ok(()) => return Ok(()),
            Err(failure) => patience.wait(failure, &run.signals.leave).await?,
        }
    }
}

/// What the agent did to its workspace.
enum Found {
    Set(Arc<Workspace>, ChangeSet),
    /// The folder cannot be trusted, so nothing of it is taken.
    Unreadable(String),
}

async fn read_back(run: &Run) -> Option<Found> {
    let workspace = Arc::clone(&run.ready.as_ref()?.workspace);
    let reading = Arc::clone(&workspace);
    match tokio::task::spawn_blocking(move || reading.read_back()).await {
        Ok(Ok(set)) if set.is_empty() => None,
        Ok(Ok(set)) => Some(Found::Set(workspace, set)),
        Ok(Err(failure)) => Some(Found::Unreadable(failure.to_string())),
        Err(_) => Some(Found::Unreadable("the workspace could not be read".to_owned())),
    }
}

async fn settle_once(run: &mut Run, ending: &Ending, found: Option<&Found>) -> Result<()> {
    let mut tx = run.engine.begin().await?;
    let now = tx.now();
    let Some(chat) = store_turn::lock_chat(&mut tx, run.chat_id()).await? else { return Err(Error::Fenced) };
    match store_turn::driven_by(&mut tx, run.turn_id()).await? {
        Some((state, attempt)) if attempt == run.row.attempt && state.is_over() => return Ok(()),
        Some((_, attempt)) if attempt == run.row.attempt => {}
        _ => return Err(Error::Fenced),
    }
    let changes = changes(run, &mut tx, chat.ended, found).await?;
    let mut answer = run.answer.clone();
    let refused = changes.refused.clone();
    if !changes.is_empty() {
        answer.changes(changes);
    }
    if let Some(LastStep { blocks, usage }) = &ending.step {
        let model = &run.row.turn.model;
        step::insert(&mut tx, run.turn_id(), run.taken.iterations, model, blocks, usage, now).await?;
    }
    let error = ending.error.clone().or_else(|| match found {
        Some(Found::Unreadable(reason)) => {
            Some(TurnError { code: "workspace_unreadable".to_owned(), detail: nothing_taken(reason) })
        }
        _ => None,
    });
    store_turn::take(&mut tx, run.turn_id(), &run.taken).await?;
    store_turn::end(&mut tx, run.turn_id(), ending.state, error.as_ref(), now).await?;
    let detail =
        serde_json::json!({"error": error, "iterations": run.taken.iterations, "tool_calls": run.taken.tool_calls});
    tx.audit(&run.entry(action(ending.state), detail)).await?;
    tx.notice(&run.place.notice("turn", run.turn_id(), ending.state.name(), run.chat_id())).await?;
    let over = Turn { state: ending.state, error, ended_at: Some(now), ..run.turn() };
    if store_turn::is_last(&mut tx, run.chat_id(), over.thread_id, answer.message_id()).await? {
        answer.tell(Custom::Preview { thread_id: over.thread_id, last: last_line(&over, answer.parts()) });
    }
    answer.tell(Custom::Turn(Box::new(over.clone())));
    answer.tell(last_event(&over));
    // the fence was looked at above, under the same lock; now the turn is over
    let last = tx.append(run.chat_id(), Some((run.turn_id(), None)), &answer.take()).await?;
    let state = if ending.state == TurnState::Failed { MessageState::Failed } else { MessageState::Settled };
    store_turn::set_parts(&mut tx, answer.message_id(), state, answer.parts(), last).await?;
    if let Some(Found::Set(workspace, set)) = found {
        keep(workspace, set, &refused).await?;
    }
    tx.commit().await?;
    let tokens = over.usage.input_tokens + over.usage.output_tokens;
    metrics::counter!("confab_tokens_total").increment(u64::try_from(tokens).unwrap_or(0));
    metrics::counter!("confab_turns_total", "state" => ending.state.name()).increment(1);
    if chat.ended {
        super::clear_workspace(&run.engine, run.chat_id()).await;
    }
    Ok(())
}

/// What of the changes is taken, as the actor may do at this moment.
async fn changes(run: &Run, tx: &mut Tx, ended: bool, found: Option<&Found>) -> Result<Changes> {
    let (set, reason) = match found {
        None => return Ok(Changes::default()),
        Some(Found::Unreadable(reason)) => {
            let refused = RefusedFile { path: "workspace".to_owned(), reason: nothing_taken(reason) };
            return Ok(Changes { refused: vec![refused], ..Changes::default() });
        }
        Some(Found::Set(_, set)) if ended => (set, "the chat was ended before this was saved"),
        Some(Found::Set(_, set)) => match person::actor_of_turn(tx, run.turn_id()).await? {
            Some(actor) => {
                let hand =
                    AgentHand { agent_id: run.row.turn.agent_id, turn_id: run.turn_id(), chat_id: run.chat_id() };
                return reconcile(tx, &run.engine, &actor, run.place.project_id, hand, set).await;
            }
            None => (set, "the person whose turn this was has left the organisation"),
        },
    };
    let paths = set.changed.iter().map(|file| &file.path).chain(set.created.iter().map(|file| &file.path));
    let refused = paths.map(|path| RefusedFile { path: path.clone(), reason: reason.to_owned() }).collect();
    Ok(Changes { refused, ..Changes::default() })
}

fn nothing_taken(reason: &str) -> String {
    format!("Nothing that was changed in this turn was saved: {reason}.")
}

async fn keep(workspace: &Arc<Workspace>, set: &ChangeSet, refused: &[RefusedFile]) -> Result<()> {
    let (workspace, set, refused) = (Arc::clone(workspace), set.clone(), refused.to_vec());
    let kept = tokio::task::spawn_blocking(move || workspace.keep(&set, &refused)).await;
    if !matches!(kept, Ok(Ok(()))) {
        // the refused files are written over by the next turn's checkout; what was refused is told all the same
        tracing::warn!("refused files could not be kept for the next turn");
    }
    Ok(())
}

fn last_line(turn: &Turn, parts: &[Part]) -> LastLine {
    let text = parts.iter().find_map(|part| match part {
        Part::Text { text, .. } if !text.trim().is_empty() => Some(first_line(text)),
        _ => None,
    });
    LastLine {
        sender: turn.agent_name.clone(),
        text: text.unwrap_or_default(),
        created_at: turn.started_at.unwrap_or(turn.queued_at),
    }
}

fn last_event(turn: &Turn) -> Event {
    let result = RunResult { state: turn.state, usage: turn.usage };
    let (thread_id, run_id) = (turn.chat_id, turn.id);
    match (&turn.error, turn.state) {
        (Some(error), TurnState::Failed) => {
            Event::RunError { thread_id, run_id, message: error.detail.clone(), code: error.code.clone(), result }
        }
        _ => Event::RunFinished { thread_id, run_id, result },
    }
}

fn action(state: TurnState) -> &'static str {
    match state {
        TurnState::Completed => "turn.completed",
        TurnState::Failed => "turn.failed",
        TurnState::Stopped => "turn.stopped",
        TurnState::Interrupted | TurnState::Queued | TurnState::Running | TurnState::Paused => "turn.interrupted",
    }
}
