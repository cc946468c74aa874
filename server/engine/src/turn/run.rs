use std::path::PathBuf;
use std::sync::Arc;

use uuid::Uuid;
use wire::chat::{ChatKind, Surface};

use super::answer::Answer;
use super::claim::{Claimed, Place};
use super::ending::Ending;
use super::patience::Patience;
use super::prepare::prepare;
use super::repeats::Repeats;
use super::settle::settle;
use super::step::{StepEnd, call, store};
use super::tools::{PendingCall, run_calls};
use super::worker::Signals;
use super::writer::Writer;
use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::provider::{Block, Item, Provider};
use crate::store::turn::{Taken, TurnRow};
use crate::workspace::Workspace;

/// A turn that this node drives.
pub(super) struct Run {
    pub engine: Engine,
    pub row: TurnRow,
    pub place: Place,
    pub signals: Signals,
    pub writer: Writer,
    pub answer: Answer,
    pub taken: Taken,
    /// The calls of the last stored step that have no result yet.
    pub pending: Vec<PendingCall>,
    pub repeats: Repeats,
    /// What is there once the turn is prepared.
    pub ready: Option<Ready>,
}

/// What a turn needs to call its model and its tools.
pub(super) struct Ready {
    pub provider: Arc<dyn Provider>,
    /// With the scopes as they were when the turn began here.
    pub actor: Actor,
    pub system: String,
    pub surface: Surface,
    pub kind: ChatKind,
    /// The agent's own choice among the tools.
    pub allowed: Option<Vec<String>>,
    /// The conversation up to the message that caused the turn, then what the turn itself said and did.
    pub items: Vec<Item>,
    /// Ids of calls that the conversation has had.
    pub call_ids: std::collections::HashSet<String>,
    pub workspace: Arc<Workspace>,
    /// The provider could not read an image: none is sent any more.
    pub without_images: bool,
}

impl Run {
    pub fn turn_id(&self) -> Uuid {
        self.row.turn.id
    }

    pub fn chat_id(&self) -> Uuid {
        self.row.turn.chat_id
    }

    /// The turn and the attempt that every write names.
    pub fn fence(&self) -> Option<(Uuid, Option<i32>)> {
        Some((self.row.turn.id, Some(self.row.attempt)))
    }

    /// Hands what the message grew by to the writer.
    pub fn show(&mut self) {
        self.writer.put(self.answer.take());
    }
}

/// The folder of a chat's workspace.
pub(super) fn folder(engine: &Engine, chat_id: Uuid) -> PathBuf {
    engine.config().data.join("workspaces").join(chat_id.to_string())
}

/// Most often that a turn is taken over before it is given up.
const ATTEMPTS: i32 = 5;

/// Drives a turn to its end, or until it is not this node's any more.
pub(super) async fn run(engine: Engine, claimed: Claimed, signals: Signals) {
    let Claimed { row, place, answer_id, parts, last_seq } = claimed;
    let (turn_id, attempt) = (row.turn.id, row.attempt);
    let taken = Taken::of(&row);
    let writer = Writer::start(&engine, row.turn.chat_id, (turn_id, attempt), last_seq, signals.leave.clone());
    let answer = Answer::new(answer_id, turn_id, attempt, parts);
    let mut run = Run {
        engine,
        row,
        place,
        signals,
        writer,
        answer,
        taken,
        pending: Vec::new(),
        repeats: Repeats::default(),
        ready: None,
    };
    let ended = go(&mut run).await;
    if let Err(error) = ended {
        if !matches!(error, Error::Fenced) {
            tracing::error!(turn = %turn_id, ?error, "a turn was given up here");
        }
        super::release(&run.engine, turn_id, attempt).await;
    }
}

async fn go(run: &mut Run) -> Result<()> {
    let ending = match drive(run).await {
        Ok(ending) => ending,
        Err(Error::Fenced) => return Err(Error::Fenced),
        Err(error) => {
            tracing::error!(turn = %run.turn_id(), ?error, "a turn failed inside");
            Ending::failed(error.code(), "Something went wrong inside Confab. Send the message again.")
        }
    };
    settle(run, ending).await
}

async fn drive(run: &mut Run) -> Result<Ending> {
    if run.row.attempt > ATTEMPTS {
        return Ok(Ending::interrupted(
            "attempts",
            format!("The turn was taken over {ATTEMPTS} times and came to no end. Send the message again."),
        ));
    }
    let mut patience = Patience::new();
    loop {
        match prepare(run).await {
            Ok(None) => break,
            Ok(Some(ending)) => return Ok(ending),
            Err(failure) => patience.wait(failure, &run.signals.leave).await?,
        }
    }
    let most = run.engine.config().iterations;
    loop {
        if !run.pending.is_empty()
            && let Some(ending) = run_calls(run).await?
        {
            return Ok(ending);
        }
        if run.signals.stop.is_cancelled() {
            return Ok(Ending::stopped());
        }
        if run.taken.iterations >= most {
            let why = format!(
                "I stopped after {most} steps without coming to an end. Say “go on” and I will go on from here."
            );
            return Ok(Ending::cut_short("iteration_limit", &why));
        }
        match call(run).await? {
            StepEnd::Over(ending) => return Ok(ending),
            StepEnd::Calls(blocks, usage) => store(run, blocks, usage).await?,
        }
    }
}

/// The tool calls among the blocks.
pub(super) fn calls(blocks: &[Block]) -> impl Iterator<Item = PendingCall> {
    blocks.iter().filter_map(|block| match block {
        Block::ToolCall { id, name, input, malformed } => Some(PendingCall {
            id: id.clone(),
            name: name.clone(),
            input: input.clone(),
            malformed: malformed.clone(),
            inherited: false,
        }),
        _ => None,
    })
}
