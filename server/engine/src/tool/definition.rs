use std::marker::PhantomData;

use futures::future::{BoxFuture, FutureExt as _};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use wire::access::Scope;

use super::context::ToolContext;
use super::outcome::ToolOutcome;

/// What a call of a tool means for the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolKind {
    /// Changes nothing; may run beside others of its kind.
    Read,
    Write,
    /// Changes the turn's or the chat's own state.
    Meta,
    /// Parks the turn until a person answers.
    Pause,
    /// Speaks to another chat.
    Call,
}

/// One tool. Built-in ones implement [`Definition`] and get this from it; tools of MCP servers implement it themselves.
pub trait Tool: Send + Sync {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    /// The JSON Schema of the arguments, an object schema.
    fn schema(&self) -> Value;
    fn kind(&self) -> ToolKind;
    /// What the actor must hold.
    fn scopes(&self) -> &[Scope];
    /// What the card's header says beside the name: path, pattern, question. For any input, also one that is not valid.
    fn label(&self, input: &Value) -> String;
    /// Runs a call. Never panics on its input and never waits for a person.
    fn run<'a>(&'a self, context: &'a ToolContext, input: Value) -> BoxFuture<'a, ToolOutcome>;
}

/// A built-in tool with typed arguments.
pub(super) trait Definition: Send + Sync + 'static {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    const KIND: ToolKind;
    const SCOPES: &'static [Scope];
    /// Unknown fields must be denied.
    type Input: DeserializeOwned + JsonSchema + Send + 'static;
    /// The argument that the label shows.
    const LABEL: &'static str;

    fn run(context: &ToolContext, input: Self::Input) -> impl Future<Output = ToolOutcome> + Send;
}

pub(super) struct Of<D>(PhantomData<D>);

impl<D: Definition> Of<D> {
    pub(super) fn boxed() -> Box<dyn Tool> {
        Box::new(Of::<D>(PhantomData))
    }
}

impl<D: Definition> Tool for Of<D> {
    fn name(&self) -> &str {
        D::NAME
    }

    fn description(&self) -> &str {
        D::DESCRIPTION
    }

    fn schema(&self) -> Value {
        let mut settings = schemars::generate::SchemaSettings::draft2020_12();
        settings.inline_subschemas = true;
        let mut schema = settings.into_generator().into_root_schema_for::<D::Input>().to_value();
        if let Some(fields) = schema.as_object_mut() {
            // noise to a model: the dialect, and the name of a Rust type
            fields.remove("$schema");
            fields.remove("title");
            fields.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        }
        schema
    }

    fn kind(&self) -> ToolKind {
        D::KIND
    }

    fn scopes(&self) -> &[Scope] {
        D::SCOPES
    }

    fn label(&self, input: &Value) -> String {
        let value = input.get(D::LABEL);
        let text = match value {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(items)) if items.len() == 1 => "1 item".to_owned(),
            Some(Value::Array(items)) => format!("{} items", items.len()),
            _ => String::new(),
        };
        shorten(&text)
    }

    fn run<'a>(&'a self, context: &'a ToolContext, input: Value) -> BoxFuture<'a, ToolOutcome> {
        // a model that has nothing to say sends nothing, which means no arguments
        let input = if input.is_null() { Value::Object(Map::new()) } else { input };
        match serde_json::from_value::<D::Input>(input) {
            Ok(input) => D::run(context, input).boxed(),
            Err(error) => {
                let said = format!("{}: {error}. The arguments are {}.", D::NAME, usage(&self.schema()));
                futures::future::ready(ToolOutcome::error(said)).boxed()
            }
        }
    }
}

/// Does work on files on a thread that may block. What breaks off there is an error result and not the end of the turn.
pub(super) async fn aside(work: impl FnOnce() -> ToolOutcome + Send + 'static) -> ToolOutcome {
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome,
        Err(_) => ToolOutcome::error("The tool broke off. Nothing more is known; look before you try again."),
    }
}

/// A label on one line that fits a card's header.
fn shorten(text: &str) -> String {
    const MOST: usize = 120;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = crate::text::storable(&line).into_owned();
    let kept = crate::text::cut(&line, MOST);
    if kept.len() < line.len() { format!("{kept}…") } else { line }
}

/// The arguments of a schema in one line: `{path: string, replace_all?: boolean}`.
fn usage(schema: &Value) -> String {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let Some(properties) = schema.get("properties").and_then(Value::as_object).filter(|all| !all.is_empty()) else {
        return "{}: it takes none".to_owned();
    };
    let fields = properties.iter().map(|(name, property)| {
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        format!("{name}{mark}: {}", type_of(property))
    });
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}

fn type_of(property: &Value) -> String {
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        return values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|");
    }
    let kind = match property.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("any")
        }
        _ => "any",
    };
    match (kind, property.get("items")) {
        ("array", Some(items)) if items.get("properties").is_some() => format!("[{}]", usage(items)),
        ("array", Some(items)) => format!("[{}]", type_of(items)),
        _ => kind.to_owned(),
    }
}
