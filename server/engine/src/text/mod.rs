//! Small rules for texts that come from models, files and people: cut between the characters that a reader sees, and hold nothing that the
//! database cannot store.

mod cut;
mod storable;

pub use cut::cut;
pub use storable::storable;
