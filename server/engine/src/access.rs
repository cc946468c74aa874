//! Who may do what: the one decision of the whole engine.

use wire::access::{Role, Scope};

use crate::error::{Error, Result};
use uuid::Uuid;

/// On whose behalf something happens. Made in [`crate::person`] from a session, a token or a running turn, and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::manual_non_exhaustive, reason = "closed to the rest of this crate too, not only to other crates")]
pub struct Actor {
    pub person_id: Uuid,
    pub person_name: String,
    pub organisation_id: Uuid,
    pub role: Role,
    /// What the role holds, or the part of it that a token was given.
    pub scopes: Vec<Scope>,
    /// Where the request came from, for the audit log.
    pub address: Option<String>,
    _made_here: (),
}

/// Whoever a request came from, as the server's session layer found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn(pub Option<Actor>);

impl Actor {
    /// Only [`crate::person`] calls this.
    pub(crate) fn new(
        person_id: Uuid,
        person_name: String,
        organisation_id: Uuid,
        role: Role,
        limit: Option<&[Scope]>,
        address: Option<String>,
    ) -> Actor {
        let scopes =
            role.scopes().iter().copied().filter(|scope| limit.is_none_or(|limit| limit.contains(scope))).collect();
        Actor { person_id, person_name, organisation_id, role, scopes, address, _made_here: () }
    }

    #[must_use]
    pub fn holds(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

/// What an actor wants to do something to.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Anything that belongs to the organisation as a whole: projects, records, settings.
    Organisation { id: Uuid, what: &'static str },
    /// A chat and all that is in it: its owner's, and for reading theirs who may read any.
    Chat { organisation_id: Uuid, owner_id: Uuid },
}

/// Whether the actor may do this to that. What is not the actor's to see is not found; what may be seen and not done is
/// forbidden.
///
/// # Errors
/// [`Error::NotFound`] or [`Error::Forbidden`].
pub fn may(actor: &Actor, scope: Scope, target: Target) -> Result<()> {
    match target {
        Target::Organisation { id, what } => {
            if id != actor.organisation_id {
                return Err(Error::NotFound(what));
            }
        }
        Target::Chat { organisation_id, owner_id } => {
            let reads_any = actor.holds(Scope::ConversationsReadAny);
            if organisation_id != actor.organisation_id || (owner_id != actor.person_id && !reads_any) {
                return Err(Error::NotFound("The chat"));
            }
            // reading others' chats is all that the scope gives
            if owner_id != actor.person_id && scope != Scope::ConversationsReadAny {
                return Err(Error::Forbidden(scope));
            }
            // one's own chat is always there to be read
            if owner_id == actor.person_id && scope == Scope::ConversationsReadAny {
                return Ok(());
            }
        }
    }
    if actor.holds(scope) { Ok(()) } else { Err(Error::Forbidden(scope)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actor(role: Role) -> Actor {
        Actor::new(Uuid::from_u128(1), "Sam".into(), Uuid::from_u128(10), role, None, None)
    }

    #[test]
    fn another_organisation_is_not_found_and_a_missing_scope_is_forbidden() {
        let viewer = actor(Role::Viewer);
        let own = Target::Organisation { id: Uuid::from_u128(10), what: "The project" };
        let other = Target::Organisation { id: Uuid::from_u128(11), what: "The project" };
        assert!(may(&viewer, Scope::RecordsRead, own).is_ok());
        assert!(matches!(may(&viewer, Scope::PlansManage, own), Err(Error::Forbidden(Scope::PlansManage))));
        assert!(matches!(may(&actor(Role::Owner), Scope::RecordsRead, other), Err(Error::NotFound(_))));
    }

    #[test]
    fn a_chat_is_its_owners_and_read_any_only_reads() {
        let theirs = Target::Chat { organisation_id: Uuid::from_u128(10), owner_id: Uuid::from_u128(2) };
        let own = Target::Chat { organisation_id: Uuid::from_u128(10), owner_id: Uuid::from_u128(1) };
        assert!(matches!(may(&actor(Role::Member), Scope::ConversationsReadAny, theirs), Err(Error::NotFound(_))));
        assert!(may(&actor(Role::Lead), Scope::ConversationsReadAny, theirs).is_ok());
        assert!(matches!(may(&actor(Role::Owner), Scope::ChatUse, theirs), Err(Error::Forbidden(_))));
        assert!(may(&actor(Role::Viewer), Scope::ConversationsReadAny, own).is_ok());
        assert!(matches!(may(&actor(Role::Viewer), Scope::ChatUse, own), Err(Error::Forbidden(_))));
    }

    #[test]
    fn a_token_never_holds_more_than_the_role() {
        let limited = Actor::new(
            Uuid::from_u128(1),
            "Sam".into(),
            Uuid::from_u128(10),
            Role::Viewer,
            Some(&[Scope::RecordsRead, Scope::MembersManage]),
            None,
        );
        assert_eq!(limited.scopes, [Scope::RecordsRead]);
    }
}
