use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::event::{Custom, Event};
use wire::message::{Changes, Part, ToolCall, ToolState};

/// The agent's message as it grows: its parts, and the events that make everyone else's copy grow alike.
///
/// Whatever changes the parts puts the event that says so into `events`; [`Answer::take`] gives them to be committed.
#[derive(Clone)]
pub(super) struct Answer {
    message_id: Uuid,
    /// Begins the ids of parts: theirs alone in the chat, also after a step ran again elsewhere.
    prefix: String,
    made: usize,
    parts: Vec<Part>,
    open: Open,
    /// The first part of the step that runs.
    step: usize,
    /// The tool calls of the step that runs, in the order the model began them.
    calls: Vec<StreamedCall>,
    events: Vec<Event>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Text,
    Reasoning,
}

#[derive(Clone)]
struct StreamedCall {
    id: String,
    ended: bool,
}

/// A tool call whose arguments are whole, as its card shows it.
pub(super) struct WholeCall<'a> {
    pub id: &'a str,
    pub label: String,
    pub input: Value,
    pub started_at: OffsetDateTime,
}

/// How a tool call ended, as its card shows it.
pub(super) struct EndedCall {
    pub output: String,
    pub state: ToolState,
    pub truncated: bool,
    pub diff: Option<wire::diff::Diff>,
    pub ended_at: OffsetDateTime,
}

impl Answer {
    /// The message with the parts that were stored of it.
    pub fn new(message_id: Uuid, turn_id: Uuid, attempt: i32, parts: Vec<Part>) -> Answer {
        let id = turn_id.simple().to_string();
        let prefix = format!("{}.{attempt}", &id[id.len() - 8..]);
        let step = parts.len();
        Answer { message_id, prefix, made: 0, parts, open: Open::Nothing, step, calls: Vec::new(), events: Vec::new() }
    }

    pub fn message_id(&self) -> Uuid {
        self.message_id
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The events since the last time, to be committed in this order.
    pub fn take(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// An event that belongs between those of the parts.
    pub fn tell(&mut self, event: impl Into<Event>) {
        self.events.push(event.into());
    }

    /// A new step begins: what is made from here on is void if the step runs again.
    pub fn begin_step(&mut self) {
        self.close();
        self.step = self.parts.len();
        self.calls.clear();
    }

    pub fn text(&mut self, delta: &str) {
        if self.open != Open::Text {
            self.close();
            let id = self.next_id();
            self.open = Open::Text;
            self.events.push(Event::TextMessageStart {
                message_id: self.message_id,
                part_id: id.clone(),
                role: "assistant".to_owned(),
            });
            self.parts.push(Part::Text { id, text: String::new() });
        }
        if let Some(Part::Text { id, text }) = self.parts.last_mut() {
            text.push_str(delta);
            self.events.push(Event::TextMessageContent {
                message_id: self.message_id,
                part_id: id.clone(),
                delta: delta.to_owned(),
            });
        }
    }

    pub fn reasoning(&mut self, delta: &str) {
        if self.open != Open::Reasoning {
            self.close();
            let id = self.next_id();
            self.open = Open::Reasoning;
            self.events.push(Event::ReasoningStart { message_id: self.message_id, part_id: id.clone() });
            self.events.push(Event::ReasoningMessageStart {
                message_id: self.message_id,
                part_id: id.clone(),
                role: "reasoning".to_owned(),
            });
            self.parts.push(Part::Reasoning { id, text: String::new() });
        }
        if let Some(Part::Reasoning { id, text }) = self.parts.last_mut() {
            text.push_str(delta);
            self.events.push(Event::ReasoningMessageContent {
                message_id: self.message_id,
                part_id: id.clone(),
                delta: delta.to_owned(),
            });
        }
    }

    /// The model begins a tool call; `id` is the only one of its kind in the turn.
    pub fn call_start(&mut self, id: String, name: &str) {
        self.close();
        self.events.push(Event::ToolCallStart {
            tool_call_id: id.clone(),
            tool_call_name: name.to_owned(),
            parent_message_id: self.message_id,
        });
        self.parts.push(Part::ToolCall(Box::new(ToolCall {
            id: id.clone(),
            name: name.to_owned(),
            label: String::new(),
            input: Value::String(String::new()),
            state: ToolState::Active,
            output: None,
            truncated: false,
            diff: None,
            started_at: None,
            ended_at: None,
        })));
        self.calls.push(StreamedCall { id, ended: false });
    }

    /// More of the arguments of the step's call of this number.
    pub fn call_args(&mut self, index: usize, delta: &str) {
        let Some(id) = self.calls.get(index).map(|call| call.id.clone()) else { return };
        self.change(&id, |call| {
            if let Value::String(text) = &mut call.input {
                text.push_str(delta);
            }
        });
        self.events.push(Event::ToolCallArgs { tool_call_id: id, delta: delta.to_owned() });
    }

    /// The id of the step's call of this number.
    pub fn call_id(&self, index: usize) -> Option<&str> {
        self.calls.get(index).map(|call| call.id.as_str())
    }

    pub fn call_whole(&mut self, whole: WholeCall<'_>) {
        self.close();
        if let Some(call) = self.calls.iter_mut().find(|call| call.id == whole.id) {
            call.ended = true;
        }
        self.change(whole.id, |call| {
            call.label.clone_from(&whole.label);
            call.input.clone_from(&whole.input);
            call.started_at = Some(whole.started_at);
        });
        self.events.push(Event::ToolCallEnd {
            tool_call_id: whole.id.to_owned(),
            label: whole.label,
            input: whole.input,
            started_at: Some(whole.started_at),
        });
    }

    pub fn call_ended(&mut self, id: &str, ended: EndedCall) {
        self.change(id, |call| {
            call.output = Some(ended.output.clone());
            call.state = ended.state;
            call.truncated = ended.truncated;
            call.diff.clone_from(&ended.diff);
            call.ended_at = Some(ended.ended_at);
        });
        self.events.push(Event::ToolCallResult {
            message_id: self.message_id,
            tool_call_id: id.to_owned(),
            role: "tool".to_owned(),
            content: ended.output,
            state: ended.state,
            truncated: ended.truncated,
            diff: ended.diff,
            ended_at: Some(ended.ended_at),
        });
    }

    /// The step is made again: what it has said so far is void.
    pub fn void_step(&mut self) {
        self.close();
        self.void_from(self.step);
        self.calls.clear();
    }

    /// The step will not be completed: its text stays, its calls were only half received and go.
    pub fn drop_calls(&mut self) {
        self.close();
        let first = self.parts[self.step..].iter().position(|part| matches!(part, Part::ToolCall(_)));
        let Some(first) = first.map(|place| place + self.step) else { return };
        let after: Vec<Part> = self.parts[first..].to_vec();
        self.void_from(first);
        self.calls.clear();
        for part in after {
            match part {
                Part::Text { text, .. } => self.text(&text),
                Part::Reasoning { text, .. } => self.reasoning(&text),
                Part::ToolCall(_) | Part::Changes(_) => {}
            }
        }
        self.close();
    }

    /// What the reconcile did stands last in the message.
    pub fn changes(&mut self, changes: Changes) {
        self.close();
        self.events.push(Custom::Reconcile { message_id: self.message_id, changes: changes.clone() }.into());
        self.parts.push(Part::Changes(changes));
    }

    /// Ends the text or reasoning that grows.
    pub fn close(&mut self) {
        let message_id = self.message_id;
        let part_id = self.parts.last().and_then(Part::id).unwrap_or_default().to_owned();
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Nothing => {}
            Open::Text => self.events.push(Event::TextMessageEnd { message_id, part_id }),
            Open::Reasoning => {
                self.events.push(Event::ReasoningMessageEnd { message_id, part_id: part_id.clone() });
                self.events.push(Event::ReasoningEnd { message_id, part_id });
            }
        }
    }

    /// The texts of the step that runs, for the conversation to keep.
    pub fn step_text(&self) -> String {
        let texts = self.parts[self.step..].iter().filter_map(|part| match part {
            Part::Text { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    fn void_from(&mut self, place: usize) {
        let Some(part_id) = self.parts.get(place).and_then(Part::id).map(str::to_owned) else { return };
        // who reads the events by AG-UI's rules wants every call that began to end
        for call in self.calls.iter().filter(|call| !call.ended) {
            self.events.push(Event::ToolCallEnd {
                tool_call_id: call.id.clone(),
                label: String::new(),
                input: Value::Null,
                started_at: None,
            });
        }
        self.parts.truncate(place);
        self.events.push(Custom::Restarted { part_id }.into());
    }

    fn change(&mut self, id: &str, change: impl FnOnce(&mut ToolCall)) {
        let call = self.parts.iter_mut().rev().find_map(|part| match part {
            Part::ToolCall(call) if call.id == id => Some(call),
            _ => None,
        });
        if let Some(call) = call {
            change(call);
        }
    }

    fn next_id(&mut self) -> String {
        self.made += 1;
        format!("{}.{}", self.prefix, self.made)
    }
}
