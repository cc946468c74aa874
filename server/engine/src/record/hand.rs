use uuid::Uuid;
use wire::version::EditSource;

/// An agent in a turn of a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentHand {
    pub agent_id: Uuid,
    pub turn_id: Uuid,
    pub chat_id: Uuid,
}

/// Whose hand writes a version; on whose behalf is the actor's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    Person,
    /// A person who brings back an earlier text or takes a change back.
    Restore,
    Agent(AgentHand),
}

impl Hand {
    #[must_use]
    pub const fn source(&self) -> EditSource {
        match self {
            Hand::Person => EditSource::Human,
            Hand::Restore => EditSource::Restore,
            Hand::Agent(_) => EditSource::Ai,
        }
    }

    #[must_use]
    pub const fn agent(&self) -> Option<AgentHand> {
        match self {
            Hand::Agent(agent) => Some(*agent),
            Hand::Person | Hand::Restore => None,
        }
    }
}
