//! What the whole interface knows: small values, each provided once by the application.

pub mod drawer;
pub mod theme;
pub mod toasts;

pub use drawer::DrawerState;
pub use toasts::Toasts;
