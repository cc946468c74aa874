use wire::record::{SaveConflict, Saved};

/// How a save ended: written, or not written because somebody changed the same lines meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "the large variant is the usual one, and few are alive at a time")]
pub enum SaveOutcome {
    Saved(Saved),
    Conflict(Box<SaveConflict>),
}
