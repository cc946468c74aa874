//! One file a route: a page composes and decides nothing.

mod account;
mod audit;
mod board;
mod bugs;
mod failed;
mod not_found;
mod plans;
mod projects;
mod record;
mod sign_in;
mod turn;

pub use account::Account;
pub use audit::Audit;
pub use board::Board;
pub use bugs::Bugs;
pub use failed::Failed;
pub use not_found::NotFound;
pub use plans::Plans;
pub use projects::Projects;
pub use record::Record;
pub use sign_in::SignIn;
pub use turn::Turn;
