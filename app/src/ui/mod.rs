//! The kit: small parts that every page is made of. It knows no wire type and fetches nothing.

pub mod badge;
pub mod button;
pub mod dialog;
pub mod diff;
pub mod dom;
pub mod empty;
pub mod field;
pub mod icon;
pub mod markdown;
pub mod menu;
pub mod skeleton;
pub mod time;

pub use badge::{Badge, Tone};
pub use button::{Button, IconButton, Look};
pub use dialog::Dialog;
pub use diff::DiffView;
pub use empty::{Empty, Failure};
pub use field::Field;
pub use icon::{Icon, IconName};
pub use markdown::Markdown;
pub use menu::{Menu, MenuItem};
pub use skeleton::Skeleton;
pub use time::Time;
