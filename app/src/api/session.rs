use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use wire::person::Me;

use super::error::Refusal;

/// Who looks at the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    pub me: Option<Me>,
    /// There is no account yet: the first visitor makes the owner's.
    pub empty: bool,
}

/// What the process gives to sign people in and out: it alone knows cookies and the store of sessions.
#[cfg(feature = "ssr")]
#[derive(Clone)]
pub struct SessionDoor {
    /// Where the request came from, for the audit log.
    pub address: Option<String>,
    change: std::sync::Arc<dyn Fn(Option<uuid::Uuid>) -> Change + Send + Sync>,
}

#[cfg(feature = "ssr")]
type Change = std::pin::Pin<Box<dyn Future<Output = Result<(), wire::error::Problem>> + Send>>;

#[cfg(feature = "ssr")]
impl SessionDoor {
    /// `change` signs the person in under a new session id, or ends the session.
    pub fn new<F, Fut>(address: Option<String>, change: F) -> SessionDoor
    where
        F: Fn(Option<uuid::Uuid>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), wire::error::Problem>> + Send + 'static,
    {
        SessionDoor { address, change: std::sync::Arc::new(move |person| Box::pin(change(person))) }
    }

    fn find() -> Result<SessionDoor, Refusal> {
        use_context::<SessionDoor>()
            .ok_or_else(|| Refusal::new(503, "unavailable", "Signing in is not possible just now.").told())
    }

    async fn sign_in(&self, person: uuid::Uuid) -> Result<(), Refusal> {
        (self.change)(Some(person)).await.map_err(|problem| Refusal(problem).told())
    }

    async fn sign_out(&self) -> Result<(), Refusal> {
        (self.change)(None).await.map_err(|problem| Refusal(problem).told())
    }
}

/// Answers the request for a page with the address of another. In the browser there is nothing to answer, and it is not done.
#[must_use]
pub fn redirect(path: &str) -> bool {
    #[cfg(feature = "ssr")]
    leptos_axum::redirect(path);
    let _ = path;
    cfg!(feature = "ssr")
}

/// Leads a form that was posted without WebAssembly on to its next page; the browser's own call goes there by itself.
#[cfg(feature = "ssr")]
fn lead_on(next: &str) {
    if super::actor::wants_html() {
        leptos_axum::redirect(next);
    }
}

#[server(prefix = "/fn", endpoint = "session/whoami")]
pub async fn whoami() -> Result<Who, Refusal> {
    use super::actor;
    let engine = actor::engine()?;
    Ok(match actor::signed_in() {
        Some(actor) => Who { me: Some(engine::person::me(&engine, &actor).await?), empty: false },
        None => Who { me: None, empty: engine::person::is_empty(&engine).await? },
    })
}

/// Signs in; answers with the address to go to.
#[server(prefix = "/fn", endpoint = "session/sign_in")]
pub async fn sign_in(email: String, password: String, next: Option<String>) -> Result<String, Refusal> {
    let engine = super::actor::engine()?;
    let door = SessionDoor::find()?;
    let sign_in = wire::person::SignIn { email, password };
    let person = engine::person::sign_in(&engine, sign_in, door.address.as_deref()).await?;
    door.sign_in(person).await?;
    let next = crate::routes::own_address(next.as_deref());
    lead_on(&next);
    Ok(next)
}

/// Makes the organisation and its owner, and signs the owner in.
#[server(prefix = "/fn", endpoint = "session/first_owner")]
pub async fn first_owner(
    organisation: String,
    name: String,
    email: String,
    password: String,
) -> Result<String, Refusal> {
    let engine = super::actor::engine()?;
    let door = SessionDoor::find()?;
    let owner = wire::person::FirstOwner { organisation, name, email, password };
    let person = engine::person::first_owner(&engine, owner, door.address.as_deref()).await?;
    door.sign_in(person).await?;
    lead_on("/");
    Ok("/".to_owned())
}

#[server(prefix = "/fn", endpoint = "session/sign_out")]
pub async fn sign_out() -> Result<String, Refusal> {
    SessionDoor::find()?.sign_out().await?;
    lead_on("/sign-in");
    Ok("/sign-in".to_owned())
}
