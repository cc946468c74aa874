use tokio::sync::broadcast;
use uuid::Uuid;

use super::{Feed, lock};

/// What the workers of a node are told. A lost one is made good by their poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Poke {
    /// A turn of this chat may start or be taken over.
    Chat(Uuid),
    /// This turn is to stop, on whichever node runs it.
    Stop(Uuid),
    /// What was told meanwhile is not known.
    Everything,
}

impl Feed {
    pub(crate) fn pokes(&self) -> broadcast::Receiver<Poke> {
        self.0.pokes.subscribe()
    }

    /// Tells this node's workers.
    pub(crate) fn poke(&self, poke: Poke) {
        // a node may have no worker yet, or none at all
        let _ = self.0.pokes.send(poke);
    }

    /// Tells the workers of the other nodes.
    pub(crate) fn poke_others(&self, poke: Poke) {
        lock(&self.0.untold).pokes.insert(poke);
        self.0.tell.notify_one();
    }
}
