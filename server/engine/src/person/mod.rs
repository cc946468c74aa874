//! People: how they come in, as whom they act, and their organisation's list. The only room that makes an [`crate::access::Actor`].

mod actor;
mod add_user;
mod email;
mod first_owner;
mod is_empty;
mod issue_token;
mod me;
pub(crate) mod name;
mod password;
mod people;
pub(crate) mod random;
mod sign_in;
#[cfg(test)]
mod tests;

pub(crate) use actor::token_hash;
pub use actor::{actor_of_person, actor_of_token, actor_of_turn};
pub use add_user::{AddUser, add_user};
pub use first_owner::first_owner;
pub use is_empty::is_empty;
pub use issue_token::issue_token;
pub use me::me;
pub use people::people;
pub use sign_in::sign_in;
