use std::collections::HashSet;
use std::sync::Arc;

use wire::chat::{ChatKind, Surface};
use wire::message::ToolState;

use super::ending::Ending;
use super::history::{Stored, items};
use super::prompt::system;
use super::resolve::{DEMO, LOOP};
use super::run::{Ready, Run, calls, folder};
use super::tools::PendingCall;
use crate::Engine;
use crate::error::{Error, Result};
use crate::person::actor_of_turn;
use crate::provider::Provider;
use crate::store::turn::{self as store_turn, Scene};
use crate::store::{step, tool_call, workspace as store_workspace};
use crate::tool::ToolKind;
use crate::workspace::{Anchor, CheckoutError, RecordFile, Workspace};

/// Most messages of a thread that a turn looks back on.
const LOOK_BACK: i64 = 400;

/// Gets ready what the turn needs; or says how it ends before it begins.
pub(super) async fn prepare(run: &mut Run) -> Result<Option<Ending>> {
    if run.signals.stop.is_cancelled() && run.row.attempt == 1 {
        return Ok(Some(Ending::stopped()));
    }
    let engine = run.engine.clone();
    let Some(actor) = actor_of_turn(&engine, run.turn_id()).await? else {
        return Ok(Some(Ending::failed("person_gone", "The person whose turn this is has left the organisation.")));
    };
    let provider = match provider(&engine, &run.row.turn.runtime) {
        Ok(provider) => provider,
        Err(ending) => return Ok(Some(*ending)),
    };
    let loaded = load(run).await?;
    let wrote = wrote(&engine, run, &loaded.stored);
    let workspace = match workspace(run, loaded.anchor, loaded.records, wrote).await? {
        Ok(workspace) => workspace,
        Err(ending) => return Ok(Some(*ending)),
    };
    let surface = Surface::parse(&loaded.scene.surface).unwrap_or(Surface::Planning);
    let kind = if run.row.ask { ChatKind::Ask } else { ChatKind::Chat };
    let items = items(&run.row.turn, &loaded.stored);
    let call_ids: HashSet<String> = loaded.stored.calls.iter().map(|call| call.id.clone()).collect();
    run.pending = pending(run, &loaded.stored);
    run.ready = Some(Ready {
        provider,
        system: system(&loaded.scene, kind, &workspace),
        actor,
        surface,
        kind,
        allowed: loaded.scene.tools,
        items,
        call_ids,
        workspace: Arc::new(workspace),
        without_images: false,
    });
    Ok(None)
}

struct Loaded {
    scene: Scene,
    stored: Stored,
    anchor: Option<Anchor>,
    records: Vec<RecordFile>,
}

/// All that is read from the database, on one connection that is given back before anything is waited for.
async fn load(run: &Run) -> Result<Loaded> {
    let turn = &run.row.turn;
    let mut connection = run.engine.pool().acquire().await?;
    let scene = store_turn::scene(&mut connection, turn.id).await?;
    let said = store_turn::said(&mut connection, turn.chat_id, turn.thread_id, LOOK_BACK).await?;
    let turns = Stored::turns(turn, &said);
    let steps = step::of_turns(&mut connection, &turns).await?;
    let calls = tool_call::of_turns(&mut connection, &turns).await?;
    let (anchor, records) =
        store_workspace::records(&mut connection, run.place.project_id, run.place.record_id).await?;
    Ok(Loaded { scene, stored: Stored { said, steps, calls }, anchor, records })
}

/// What drives the turn, or that it cannot be had: never another in its place.
fn provider(engine: &Engine, runtime: &str) -> std::result::Result<Arc<dyn Provider>, Box<Ending>> {
    match runtime {
        DEMO => Ok(engine.demo()),
        LOOP => match engine.remote() {
            Some(Ok(provider)) => Ok(provider),
            Some(Err(failure)) => Err(Box::new(Ending::provider(&failure))),
            None => Err(Box::new(Ending::failed(
                "no_model",
                "No model is configured. Set ANTHROPIC_API_KEY or OPENAI_API_KEY and start again, or choose the runtime demo.",
            ))),
        },
        other => Err(Box::new(Ending::failed(
            "runtime_unavailable",
            format!(
                "The runtime “{other}” is named in the settings and is not available here. Choose `loop` or `demo`."
            ),
        ))),
    }
}

/// Whether a tool call of this turn may have changed the workspace already.
fn wrote(engine: &Engine, run: &Run, stored: &Stored) -> bool {
    let mut calls = stored.calls.iter().filter(|call| call.turn_id == run.turn_id());
    calls.any(|call| engine.tools().get(&call.name).is_some_and(|tool| tool.kind() == ToolKind::Write))
}

/// The workspace: written anew for a turn that begins, picked up again for one that goes on.
async fn workspace(
    run: &Run,
    anchor: Option<Anchor>,
    records: Vec<RecordFile>,
    wrote: bool,
) -> Result<std::result::Result<Workspace, Box<Ending>>> {
    let root = folder(&run.engine, run.chat_id());
    let turn_id = run.turn_id();
    let goes_on = run.row.attempt > 1 && wrote;
    let made = tokio::task::spawn_blocking(move || {
        if goes_on { Workspace::open(&root, turn_id) } else { Workspace::checkout(&root, turn_id, anchor, records) }
    });
    match made.await {
        Ok(Ok(workspace)) => Ok(Ok(workspace)),
        Ok(Err(CheckoutError::Missing)) => Ok(Err(Box::new(Ending::interrupted(
            "workspace_gone",
            "The node that ran this turn is gone, and with it the files that were being changed. Nothing of them was saved; send the message again.",
        )))),
        Ok(Err(failure)) => Ok(Err(Box::new(Ending::failed(
            "workspace",
            format!(
                "The workspace could not be made: {failure}. Free some room or ask an admin, then send the message again."
            ),
        )))),
        Err(_) => Err(Error::Unavailable("The workspace could not be made.".to_owned())),
    }
}

/// The calls of the turn's last step that have no result yet.
fn pending(run: &Run, stored: &Stored) -> Vec<PendingCall> {
    let last = stored.steps.iter().rfind(|step| step.turn_id == run.turn_id());
    let open = |id: &str| {
        stored
            .calls
            .iter()
            .any(|call| call.turn_id == run.turn_id() && call.id == id && call.state == ToolState::Active)
    };
    let calls = last.into_iter().flat_map(|step| calls(&step.blocks)).filter(|call| open(&call.id));
    calls.map(|call| PendingCall { inherited: true, ..call }).collect()
}
