use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use serde_json::Value;
use wire::chat::{ChatKind, Surface};
use wire::event::{Custom, Event};
use wire::message::{MessageState, ToolState};

use super::answer::EndedCall;
use super::ending::Ending;
use super::patience::Patience;
use super::related::RecordsAround;
use super::repeats::Verdict;
use super::run::Run;
use super::step::{ready, ready_mut};
use crate::error::{Error, Result};
use crate::person::actor_of_turn;
use crate::provider::history::CANCELLED;
use crate::provider::{Item, ToolResult};
use crate::store::audit::Entry;
use crate::store::{tool_call, turn as store_turn};
use crate::tool::{Denied, Registry, ToolContext, ToolKind, ToolOutcome};

/// A tool call of the model that has no result yet.
#[derive(Clone, Debug)]
pub(super) struct PendingCall {
    pub id: String,
    pub name: String,
    pub input: Value,
    /// The arguments when they were no JSON object.
    pub malformed: Option<String>,
    /// It was begun by a node that is gone.
    pub inherited: bool,
}

/// How long a tool may take.
const DEADLINE: Duration = Duration::from_secs(120);

/// What a call led to.
struct Ended {
    outcome: ToolOutcome,
    state: ToolState,
    /// It was refused for want of a right; that is kept in the audit log.
    denied: bool,
}

impl Ended {
    fn ran(outcome: ToolOutcome) -> Ended {
        let state = if outcome.is_error { ToolState::Error } else { ToolState::Success };
        Ended { outcome, state, denied: false }
    }

    fn error(said: impl AsRef<str>) -> Ended {
        Ended::ran(ToolOutcome::error(said))
    }

    fn cancelled() -> Ended {
        Ended { state: ToolState::Cancelled, ..Ended::error(CANCELLED) }
    }
}

/// Runs the calls of the last step and stores each result as soon as it is there. Those that only read run side by side when all of the
/// step do; else one after another. Every call gets a result, whatever happens. Gives an ending when the turn shall not go on.
pub(super) async fn run_calls(run: &mut Run) -> Result<Option<Ending>> {
    let calls = std::mem::take(&mut run.pending);
    let kind_of = |name: &str| run.engine.tools().get(name).map(crate::tool::Tool::kind);
    let side_by_side = calls.iter().all(|call| kind_of(&call.name) == Some(ToolKind::Read));
    let kinds: Vec<Option<ToolKind>> = calls.iter().map(|call| kind_of(&call.name)).collect();
    let mut results: Vec<Option<ToolResult>> = calls.iter().map(|_| None).collect();
    let mut ending = None;

    let mut groups: Vec<Vec<usize>> = Vec::new();
    match side_by_side {
        true => groups.push((0..calls.len()).collect()),
        false => groups.extend((0..calls.len()).map(|index| vec![index])),
    }
    for group in groups {
        let mut begun: Vec<BoxFuture<'static, (usize, Ended)>> = Vec::new();
        for index in group {
            let call = calls[index].clone();
            // a call that was begun by a node that is gone may have done its work, or half of it: only reading is safe to repeat
            if call.inherited && kinds[index] != Some(ToolKind::Read) {
                let said =
                    "This call was interrupted and may or may not have had its effect. Look before you do it again.";
                begun.push(futures::future::ready((index, Ended::error(said))).boxed());
            } else {
                begun.push(one(run, call).await?.map(move |ended| (index, ended)).boxed());
            }
        }
        let mut running: FuturesUnordered<_> = begun.into_iter().collect();
        loop {
            let next = if run.signals.stop.is_cancelled() {
                // what is there already counts; the rest is dropped, which ends it
                running.next().now_or_never().flatten()
            } else {
                tokio::select! {
                    biased;
                    () = run.signals.leave.cancelled() => return Err(Error::Fenced),
                    () = run.signals.stop.cancelled() => continue,
                    next = running.next() => next,
                }
            };
            let Some((index, ended)) = next else { break };
            results[index] = Some(store(run, &calls[index], ended, &mut ending).await?);
        }
        if run.signals.stop.is_cancelled() {
            ending = Some(Ending::stopped());
        }
        if ending.is_some() {
            break;
        }
    }
    for (call, result) in calls.iter().zip(&mut results) {
        if result.is_none() {
            *result = Some(store(run, call, Ended::cancelled(), &mut None).await?);
        }
    }
    ready_mut(run)?.items.push(Item::ToolResults(results.into_iter().flatten().collect()));
    Ok(ending)
}

/// A call, checked and ready to run, that always comes to a result.
async fn one(run: &Run, call: PendingCall) -> Result<BoxFuture<'static, Ended>> {
    // scopes as they are at this moment
    let actor = {
        let mut patience = Patience::new();
        loop {
            match actor_of_turn(&run.engine, run.turn_id()).await {
                Ok(actor) => break actor,
                Err(failure) => patience.wait(failure, &run.signals.leave).await?,
            }
        }
    };
    let Some(actor) = actor else {
        return Ok(
            futures::future::ready(Ended::error("The person whose turn this is has left the organisation.")).boxed()
        );
    };
    let ready = ready(run)?;
    let (surface, kind) = (ready.surface, ready.kind);
    if ready.allowed.as_ref().is_some_and(|allowed| !allowed.contains(&call.name)) {
        let said = format!("There is no tool `{}` for this agent.", crate::text::cut(&call.name, 80));
        return Ok(futures::future::ready(Ended::error(said)).boxed());
    }
    let context = ToolContext {
        workspace: Arc::clone(&ready.workspace),
        actor,
        related: Arc::new(RecordsAround::of(&run.engine, &run.place)),
    };
    Ok(checked(Arc::clone(run.engine.tools()), context, surface, kind, call, DEADLINE).boxed())
}

async fn checked(
    tools: Arc<Registry>,
    context: ToolContext,
    surface: Surface,
    kind: ChatKind,
    call: PendingCall,
    deadline: Duration,
) -> Ended {
    if let Some(malformed) = &call.malformed {
        return Ended::error(format!(
            "The arguments of this call were no JSON object, so it was not run. Send one JSON object. What came: {}",
            crate::text::cut(malformed, 500)
        ));
    }
    let tool = match tools.allowed(&call.name, surface, kind, &context.actor.scopes) {
        Ok(tool) => tool,
        Err(denied) => {
            let is_right = matches!(denied, Denied::OnlyReads(_) | Denied::Scope { .. });
            return Ended { denied: is_right, ..Ended::error(denied.to_string()) };
        }
    };
    let work = AssertUnwindSafe(tool.run(&context, call.input)).catch_unwind();
    match tokio::time::timeout(deadline, work).await {
        Ok(Ok(outcome)) => Ended::ran(outcome),
        Ok(Err(_)) => Ended::error(format!("`{}` failed inside. Try it in another way.", call.name)),
        Err(_) => Ended::error(format!(
            "`{}` gave no result within {} seconds and was given up.",
            call.name,
            deadline.as_secs()
        )),
    }
}

/// Shows and stores a result; gives it as the model gets it.
async fn store(run: &mut Run, call: &PendingCall, mut ended: Ended, ending: &mut Option<Ending>) -> Result<ToolResult> {
    if ended.state != ToolState::Cancelled {
        match run.repeats.note(&call.name, &call.input, &ended.outcome.content) {
            Verdict::Fine => {}
            Verdict::Tell => ended.outcome.content.push_str(
                "\n\n[You have made this same call five times in a row with the same result. Do something else, or answer with what you have.]",
            ),
            Verdict::End => {
                let why = format!("I made the same call of {} eight times in a row with the same result, so I stop here.", call.name);
                *ending = Some(Ending::cut_short("repeated_call", &why));
            }
        }
    }
    let now = run.engine.now();
    let content = crate::text::storable(&ended.outcome.content).into_owned();
    run.answer.call_ended(
        &call.id,
        EndedCall {
            output: content.clone(),
            state: ended.state,
            truncated: ended.outcome.truncated,
            diff: ended.outcome.diff.clone(),
            ended_at: now,
        },
    );
    if let Some(items) = ended.outcome.todo.take() {
        run.answer.tell(Custom::Todo { tool_call_id: call.id.clone(), items });
    }
    let events = run.answer.take();
    run.writer.drain().await?;
    let mut patience = Patience::new();
    loop {
        match store_once(run, call, &ended, &content, &events).await {
            Ok(()) => break,
            Err(failure) => patience.wait(failure, &run.signals.leave).await?,
        }
    }
    let is_error = ended.state != ToolState::Success;
    Ok(ToolResult { call_id: call.id.clone(), name: call.name.clone(), content, is_error })
}

async fn store_once(run: &Run, call: &PendingCall, ended: &Ended, content: &str, events: &[Event]) -> Result<()> {
    let mut tx = run.engine.begin().await?;
    let now = tx.now();
    let last = tx.append(run.chat_id(), run.fence(), events).await?;
    let outcome = &ended.outcome;
    let stored = tool_call::settle(
        &mut tx,
        run.turn_id(),
        &call.id,
        ended.state,
        content,
        outcome.truncated,
        outcome.diff.as_ref(),
        now,
    )
    .await?;
    // a commit whose answer was lost has happened all the same
    if !stored {
        return Ok(());
    }
    store_turn::set_parts(&mut tx, run.answer.message_id(), MessageState::Streaming, run.answer.parts(), last).await?;
    if ended.denied {
        let detail = serde_json::json!({"tool": call.name, "reason": outcome.content});
        tx.audit(&run.entry("turn.tool_denied", detail)).await?;
    }
    tx.commit().await?;
    run.writer.saw(last);
    Ok(())
}

impl Run {
    /// A row of the audit log about this turn.
    pub fn entry(&self, action: &'static str, detail: Value) -> Entry {
        Entry {
            organisation_id: self.place.organisation_id,
            person_id: Some(self.row.person_id),
            agent: Some((self.row.turn.agent_id, self.turn_id())),
            action,
            subject_kind: "turn",
            subject_id: self.turn_id(),
            before_version: None,
            after_version: None,
            edit_source: None,
            address: self.row.address.clone(),
            detail,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;
    use wire::access::{Role, Scope};

    use super::*;
    use crate::access::Actor;
    use crate::tool::{Related, RelatedRecord, Tool};
    use crate::workspace::Workspace;

    struct Nothing;

    impl Related for Nothing {
        fn related(&self, _: Option<String>) -> BoxFuture<'_, std::result::Result<Vec<RelatedRecord>, String>> {
            futures::future::ready(Ok(Vec::new())).boxed()
        }
    }

    /// A tool that does not do what tools must.
    struct Bad(&'static str);

    impl Tool for Bad {
        fn name(&self) -> &str {
            self.0
        }
        fn description(&self) -> &str {
            ""
        }
        fn schema(&self) -> Value {
            json!({"type": "object"})
        }
        fn kind(&self) -> ToolKind {
            ToolKind::Read
        }
        fn scopes(&self) -> &[Scope] {
            &[]
        }
        fn label(&self, _: &Value) -> String {
            String::new()
        }
        fn run<'a>(&'a self, _: &'a ToolContext, _: Value) -> BoxFuture<'a, ToolOutcome> {
            match self.0 {
                "Panics" => async { panic!("this tool always does") }.boxed(),
                "Hangs" => futures::future::pending().boxed(),
                _ => futures::future::ready(ToolOutcome::default()).boxed(),
            }
        }
    }

    async fn run_one(role: Role, kind: ChatKind, name: &str, input: Value, malformed: Option<&str>) -> Ended {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::checkout(folder.path(), Uuid::nil(), None, Vec::new()).unwrap();
        let actor = Actor::new(Uuid::nil(), "Sam".into(), Uuid::nil(), role, None, None);
        let context = ToolContext { workspace: Arc::new(workspace), actor, related: Arc::new(Nothing) };
        let mut tools = Registry::built_in();
        for name in ["Panics", "Hangs", "Empty"] {
            assert!(tools.add(Box::new(Bad(name))).is_none());
        }
        let call = PendingCall {
            id: "c".into(),
            name: name.into(),
            input,
            malformed: malformed.map(str::to_owned),
            inherited: false,
        };
        checked(Arc::new(tools), context, Surface::Planning, kind, call, Duration::from_millis(20)).await
    }

    #[tokio::test]
    async fn whatever_a_tool_does_its_call_has_a_result() {
        let ended = run_one(Role::Member, ChatKind::Chat, "Panics", json!({}), None).await;
        assert_eq!((ended.state, ended.denied), (ToolState::Error, false));
        let ended = run_one(Role::Member, ChatKind::Chat, "Hangs", json!({}), None).await;
        assert_eq!(ended.state, ToolState::Error);
        assert!(ended.outcome.content.contains("gave no result"), "{}", ended.outcome.content);
        let ended = run_one(Role::Member, ChatKind::Chat, "Empty", json!({}), None).await;
        assert_eq!((ended.state, ended.outcome.content.as_str()), (ToolState::Success, ""));
    }

    #[tokio::test]
    async fn a_call_that_may_not_be_made_is_not_made() {
        let unknown = run_one(Role::Member, ChatKind::Chat, "Teleport", json!({}), None).await;
        assert_eq!((unknown.state, unknown.denied), (ToolState::Error, false));
        let file = json!({"path": "plans/a.md", "content": "x"});
        let ask = run_one(Role::Member, ChatKind::Ask, "Write", file.clone(), None).await;
        assert_eq!((ask.state, ask.denied), (ToolState::Error, true));
        let viewer = run_one(Role::Viewer, ChatKind::Chat, "Write", file.clone(), None).await;
        assert_eq!((viewer.state, viewer.denied), (ToolState::Error, true));
        let broken = run_one(Role::Member, ChatKind::Chat, "Write", json!({}), Some("{\"path\": ")).await;
        assert!(broken.outcome.content.contains("{\"path\": "), "{}", broken.outcome.content);
        let missing = run_one(Role::Member, ChatKind::Chat, "Write", json!({}), None).await;
        assert_eq!(missing.state, ToolState::Error);
        let fine = run_one(Role::Member, ChatKind::Chat, "Write", file, None).await;
        assert_eq!(fine.state, ToolState::Success, "{}", fine.outcome.content);
    }
}
