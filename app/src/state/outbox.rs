use wire::chat::SendMessage;

/// A message of the person's that the page knows and the log has not shown yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    pub client_id: String,
    pub message: SendMessage,
    pub state: Sending,
}

impl Outgoing {
    /// Tells it from others, and from what it was before.
    #[must_use]
    pub fn key(&self) -> (String, Sending) {
        (self.client_id.clone(), self.state.clone())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sending {
    /// On its way.
    OnItsWay,
    /// Stored; the log will show it.
    Stored,
    /// Refused or lost: the sentence says why. The same `client_id` is sent again, so that it is never stored twice.
    Failed(String),
}
