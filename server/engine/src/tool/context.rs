use std::sync::Arc;

use futures::future::BoxFuture;
use uuid::Uuid;
use wire::record::RecordKind;

use crate::access::Actor;
use crate::workspace::Workspace;

/// What a tool may use while it runs. Made anew for each call, so that `actor` has the scopes of that moment.
#[derive(Clone)]
pub struct ToolContext {
    pub workspace: Arc<Workspace>,
    pub actor: Actor,
    pub related: Arc<dyn Related>,
}

/// The records around the one that a chat is about. Whoever gives it takes a connection for the query and gives it back.
pub trait Related: Send + Sync {
    /// Related initiatives, plans and bugs, the nearest first, at most 50. With `query` those whose title or body has its words. An error is a
    /// sentence for the agent.
    fn related(&self, query: Option<String>) -> BoxFuture<'_, Result<Vec<RelatedRecord>, String>>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedRecord {
    pub id: Uuid,
    pub kind: RecordKind,
    pub title: String,
    pub status: String,
    pub severity: Option<String>,
    pub parent_id: Option<Uuid>,
    pub body: String,
}
