use leptos::prelude::*;
use wire::person::Me;

use crate::api::{
    Refusal,
    session::{Who, whoami},
};

/// Who looks at the page.
#[derive(Clone, Copy)]
pub struct Session {
    who: Resource<Result<Who, Refusal>>,
}

impl Session {
    /// Makes the session known to everything below. Called once, by the application.
    pub fn provide() -> Session {
        let session = Session { who: Resource::new(|| (), |()| whoami()) };
        provide_context(session);
        session
    }

    /// Who is there, once it is known.
    pub async fn who(self) -> Result<Who, Refusal> {
        self.who.await
    }

    /// The person who is signed in, once it is known.
    pub async fn me(self) -> Option<Me> {
        self.who.await.ok().and_then(|who| who.me)
    }

    /// The same at once, for effects: nothing while it is not known.
    #[must_use]
    pub fn is_signed_in(self) -> bool {
        self.who.get().is_some_and(|who| who.is_ok_and(|who| who.me.is_some()))
    }
}
