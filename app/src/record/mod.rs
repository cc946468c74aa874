//! Records: how they are shown, edited, compared and moved on.

mod body;
mod children;
mod compare;
mod diff;
mod editor;
mod fresh;
mod head;
mod history;
mod line;
mod merge;
mod new;
mod proposal;
mod status;
mod version;
mod view;

pub use diff::lines;
pub use line::RecordLines;
pub use new::NewRecordButton;
pub use status::{StatusPill, scope_of, tone_of};
pub use view::RecordView;
