//! Signing in and out, and who is signed in.

use axum::{Extension, extract, http::StatusCode};
use engine::{Engine, person};
use serde::Serialize;
use tower_sessions::Session;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use wire::person::{Me, Person, SignIn};

use super::input::Json;
use crate::http::{
    State,
    refusal::{Refusal, Result},
    session::{self, Address, By},
};

pub fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::new().routes(routes!(sign_in, sign_out)).routes(routes!(me))
}

/// The person who signed in, and all that `GET /api/v1/me` says.
#[derive(Serialize, ToSchema)]
struct Entered {
    #[serde(flatten)]
    itself: Person,
    #[serde(flatten)]
    me: Me,
}

/// Sign in; the answer carries the session's cookie
#[utoipa::path(post, path = "/api/v1/session", tag = "people", security(()), responses((status = OK, body = Entered)))]
async fn sign_in(
    extract::State(engine): extract::State<Engine>,
    Extension(Address(from)): Extension<Address>,
    session: Session,
    Json(with): Json<SignIn>,
) -> Result<Json<Entered>> {
    let person_id = person::sign_in(&engine, with, from.as_deref()).await?;
    session::begin(&session, person_id).await?;
    let actor =
        person::actor_of_person(&engine, person_id, from.as_deref()).await?.ok_or_else(Refusal::unauthorised)?;
    let me = person::me(&engine, &actor).await?;
    Ok(Json(Entered { itself: me.person.clone(), me }))
}

/// Sign out
#[utoipa::path(delete, path = "/api/v1/session", tag = "people", security(()), responses((status = NO_CONTENT)))]
async fn sign_out(session: Session) -> Result<StatusCode> {
    session::end(&session).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Who is signed in, and what they may do
#[utoipa::path(get, path = "/api/v1/me", tag = "people", responses((status = OK, body = Me)))]
async fn me(extract::State(engine): extract::State<Engine>, By(actor): By) -> Result<Json<Me>> {
    Ok(Json(person::me(&engine, &actor).await?))
}
