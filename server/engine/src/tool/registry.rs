use wire::access::Scope;
use wire::chat::{ChatKind, Surface};

use super::definition::{Of, Tool, ToolKind};
use super::{edit, glob, grep, read, related, todo_write, write};
use crate::provider::ToolSpec;

/// All tools that there are, in the order in which a model is told of them.
pub struct Registry {
    tools: Vec<Box<dyn Tool>>,
}

/// Why a call is not run. Each is an error result for the agent, not the end of the turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    #[error("There is no tool `{name}` here. There are: {known}.")]
    Unknown { name: String, known: String },
    #[error(
        "An ask only reads and answers; `{0}` would change something. Say what should be done and suggest a chat for it."
    )]
    OnlyReads(String),
    #[error("`{name}` needs the scope `{}`, which the person whose turn this is does not hold.", .scope.name())]
    Scope { name: String, scope: Scope },
}

impl Registry {
    /// The tools that are built in.
    #[must_use]
    pub fn built_in() -> Registry {
        Registry {
            tools: vec![
                Of::<read::Read>::boxed(),
                Of::<glob::Glob>::boxed(),
                Of::<grep::Grep>::boxed(),
                Of::<edit::Edit>::boxed(),
                Of::<write::Write>::boxed(),
                Of::<todo_write::TodoWrite>::boxed(),
                Of::<related::FetchRelated>::boxed(),
            ],
        }
    }

    /// Adds a tool; one of the same name that is already there stays, and the new one is given back.
    pub fn add(&mut self, tool: Box<dyn Tool>) -> Option<Box<dyn Tool>> {
        if self.get(tool.name()).is_some() {
            return Some(tool);
        }
        self.tools.push(tool);
        None
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&dyn Tool> {
        self.tools.iter().map(AsRef::as_ref).find(|tool| tool.name() == name)
    }

    /// All of them, for documentation and the MCP endpoint.
    pub fn tools(&self) -> impl Iterator<Item = &dyn Tool> {
        self.tools.iter().map(AsRef::as_ref)
    }

    /// The tools that a model is told of.
    #[must_use]
    pub fn specs(&self, surface: Surface, kind: ChatKind, scopes: &[Scope]) -> Vec<ToolSpec> {
        self.tools()
            .filter(|tool| on_surface(*tool, surface) && for_kind(*tool, kind) && lacks(*tool, scopes).is_none())
            .map(|tool| ToolSpec {
                name: tool.name().to_owned(),
                description: tool.description().to_owned(),
                schema: tool.schema(),
            })
            .collect()
    }

    /// The tool that a call names, if it may be called here and now.
    ///
    /// # Errors
    /// See [`Denied`].
    pub fn allowed(&self, name: &str, surface: Surface, kind: ChatKind, scopes: &[Scope]) -> Result<&dyn Tool, Denied> {
        let Some(tool) = self.get(name).filter(|tool| on_surface(*tool, surface)) else {
            let known: Vec<String> = self.specs(surface, kind, scopes).into_iter().map(|spec| spec.name).collect();
            let name = crate::text::cut(name, 80).to_owned();
            return Err(Denied::Unknown { name, known: known.join(", ") });
        };
        if !for_kind(tool, kind) {
            return Err(Denied::OnlyReads(name.to_owned()));
        }
        match lacks(tool, scopes) {
            Some(scope) => Err(Denied::Scope { name: name.to_owned(), scope }),
            None => Ok(tool),
        }
    }

    /// What the card of a call says beside the tool's name; empty for a tool that is not known.
    #[must_use]
    pub fn label(&self, name: &str, input: &serde_json::Value) -> String {
        self.get(name).map(|tool| tool.label(input)).unwrap_or_default()
    }
}

/// A platform chat has tools of its own in place of those that only planning has.
fn on_surface(tool: &dyn Tool, surface: Surface) -> bool {
    const ONLY_PLANNING: [&str; 2] = ["fetch_related_planning_artifacts", "start_flow"];
    surface == Surface::Planning || !ONLY_PLANNING.contains(&tool.name())
}

fn for_kind(tool: &dyn Tool, kind: ChatKind) -> bool {
    match kind {
        ChatKind::Chat => true,
        ChatKind::Ask => tool.kind() == ToolKind::Read || tool.name() == "ask_user",
    }
}

fn lacks(tool: &dyn Tool, scopes: &[Scope]) -> Option<Scope> {
    tool.scopes().iter().copied().find(|scope| !scopes.contains(scope))
}
