//! What the whole interface knows: small values, each provided once by the application.

pub mod theme;
pub mod toasts;

pub use toasts::Toasts;
