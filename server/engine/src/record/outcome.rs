use wire::record::{SaveConflict, Saved};

/// How a save ended: written, or not written because somebody changed the same lines meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    Saved(Saved),
    Conflict(Box<SaveConflict>),
}
