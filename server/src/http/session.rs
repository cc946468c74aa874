//! Who asks: the person of a session's cookie, or of a token.

use std::{fmt, time::Duration};

use app::api::session::SessionDoor;
use async_trait::async_trait;
use axum::{
    extract::{self, FromRequestParts, Request},
    http::{Extensions, HeaderMap, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use engine::{
    Engine,
    access::{Actor, SignedIn},
    person,
    store::session as kept,
};
use sha2::{Digest, Sha256};
use tower_sessions::{
    Expiry, Session, SessionManagerLayer, SessionStore,
    cookie::SameSite,
    session::{Id, Record},
    session_store,
};
use uuid::Uuid;

use super::{State, address, files, refusal::Refusal};

/// The name of the cookie.
pub const COOKIE: &str = "confab_session";

/// A session that is not used for this long is over.
const IDLE: time::Duration = time::Duration::days(30);
/// How often the end of a session that is used is put off.
const PUT_OFF: i64 = 24 * 60 * 60;
/// How often sessions that are over are forgotten.
const SWEEP: Duration = Duration::from_secs(60 * 60);

const PERSON: &str = "person";
const SEEN: &str = "seen";

/// Where a request comes from, for the audit log.
#[derive(Clone, Debug)]
pub struct Address(pub Option<String>);

/// The actor of a request; refuses when nobody is signed in.
pub struct By(pub Actor);

impl<S: Sync> FromRequestParts<S> for By {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<By, Refusal> {
        let who = parts.extensions.get::<SignedIn>().and_then(|SignedIn(actor)| actor.clone());
        who.map(By).ok_or_else(Refusal::unauthorised)
    }
}

/// Brings the session of the cookie to every request, and its changes to the database and the browser.
pub fn layer(state: &State) -> SessionManagerLayer<Store> {
    SessionManagerLayer::new(Store(state.engine().clone()))
        .with_name(COOKIE)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(state.tls())
        .with_expiry(Expiry::OnInactivity(IDLE))
}

/// Puts [`SignedIn`] and [`Address`] beside the request. A token that is not good is refused, whatever is asked.
pub async fn find_who_asks(
    extract::State(state): extract::State<State>,
    session: Session,
    mut request: Request,
    next: Next,
) -> Response {
    let from = address::of_request(request.headers(), request.extensions(), state.behind_proxy());
    let token = bearer(request.headers());
    let cookie = is_named(request.headers()) && !files::is_of_a_file(request.uri().path());
    let found = match token {
        Some(token) => by_token(state.engine(), &token, from.as_deref()).await.map(Some),
        None if cookie => by_session(state.engine(), &session, from.as_deref()).await,
        None => Ok(None),
    };
    match found {
        Ok(actor) => {
            request.extensions_mut().insert(SignedIn(actor));
            request.extensions_mut().insert(Address(from));
            next.run(request).await
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// Whether the request carries a cookie of ours, good or not.
pub fn is_named(headers: &HeaderMap) -> bool {
    headers.get_all(header::COOKIE).iter().any(|cookies| {
        // what cannot be read as text might hold it
        cookies.to_str().map_or(true, |cookies| {
            cookies.split(';').any(|cookie| cookie.split('=').next().is_some_and(|name| name.trim() == COOKIE))
        })
    })
}

/// The token of the request; the empty one for a header that holds none.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or("Bearer");
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    // other schemes are between the browser and a proxy before us
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

async fn by_token(engine: &Engine, token: &str, from: Option<&str>) -> Result<Actor, Refusal> {
    let found = person::actor_of_token(engine, token, from).await?;
    found.ok_or_else(|| {
        Refusal::new(StatusCode::UNAUTHORIZED, "unauthorised", "The token is not known, has expired or was revoked.")
    })
}

async fn by_session(engine: &Engine, session: &Session, from: Option<&str>) -> Result<Option<Actor>, Refusal> {
    let Some(person_id) = session.get::<Uuid>(PERSON).await.map_err(broken)? else { return Ok(None) };
    let now = engine.now().unix_timestamp();
    let seen = session.get::<i64>(SEEN).await.map_err(broken)?;
    if seen.is_none_or(|seen| now - seen >= PUT_OFF) {
        session.insert(SEEN, now).await.map_err(broken)?;
    }
    Ok(person::actor_of_person(engine, person_id, from).await?)
}

/// Signs a person in under a new session id.
///
/// # Errors
/// When the session cannot be kept.
pub async fn begin(session: &Session, person_id: Uuid) -> Result<(), Refusal> {
    session.cycle_id().await.map_err(broken)?;
    session.insert(PERSON, person_id).await.map_err(broken)
}

/// Signs out.
///
/// # Errors
/// When the session cannot be ended.
pub async fn end(session: &Session) -> Result<(), Refusal> {
    session.flush().await.map_err(broken)
}

fn broken(error: tower_sessions::session::Error) -> Refusal {
    tracing::error!(%error, "a session could not be read or kept");
    engine::Error::Unavailable("Sessions cannot be read right now. Try again.".to_owned()).into()
}

/// What the page's server functions sign people in and out with.
pub fn door(extensions: &Extensions) -> Option<SessionDoor> {
    let session = extensions.get::<Session>()?.clone();
    let Address(from) = extensions.get::<Address>()?.clone();
    Some(SessionDoor::new(from, move |person_id| {
        let session = session.clone();
        async move {
            let done = match person_id {
                Some(person_id) => begin(&session, person_id).await,
                None => end(&session).await,
            };
            done.map_err(Refusal::problem)
        }
    }))
}

/// Forgets sessions that are over, from now on and again every hour.
pub fn sweep(engine: &Engine) {
    let swept = engine.clone();
    engine.spawn(async move {
        let mut ticks = tokio::time::interval(SWEEP);
        loop {
            tokio::select! {
                () = swept.stopping().cancelled() => return,
                _ = ticks.tick() => {}
            }
            if let Err(error) = kept::delete_expired(swept.pool(), swept.now()).await {
                tracing::warn!(%error, "old sessions could not be forgotten");
            }
        }
    });
}

/// Sessions in Postgres. Of a session's id only a hash is kept: who reads the table cannot use what is there.
#[derive(Clone)]
pub struct Store(Engine);

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Store")
    }
}

fn key(id: &Id) -> String {
    Sha256::digest(id.0.to_be_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn person_of(record: &Record) -> Option<Uuid> {
    record.data.get(PERSON)?.as_str()?.parse().ok()
}

fn encode(record: &Record) -> session_store::Result<String> {
    serde_json::to_string(&record.data).map_err(|error| session_store::Error::Encode(error.to_string()))
}

fn backend(error: engine::Error) -> session_store::Error {
    session_store::Error::Backend(error.to_string())
}

#[async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        // 128 random bits do not meet by chance
        let data = encode(record)?;
        kept::save(self.0.pool(), &key(&record.id), person_of(record), &data, record.expiry_date).await.map_err(backend)
    }

    async fn save(&self, record: &Record) -> session_store::Result<()> {
        let data = encode(record)?;
        let person_id = person_of(record);
        kept::change(self.0.pool(), &key(&record.id), person_id, &data, record.expiry_date).await.map_err(backend)
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let found = kept::load(self.0.pool(), &key(id), self.0.now()).await.map_err(backend)?;
        let Some(data) = found else { return Ok(None) };
        let data = serde_json::from_str(&data).map_err(|error| session_store::Error::Decode(error.to_string()))?;
        Ok(Some(Record { id: *id, data, expiry_date: self.0.now() + IDLE }))
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        kept::delete(self.0.pool(), &key(id)).await.map_err(backend)
    }
}
