use leptos::{prelude::*, server_fn::codec::Json};
use uuid::Uuid;
use wire::person::{CreatedToken, NewToken, Token};

use super::error::Refusal;

#[server(prefix = "/fn", endpoint = "token/list", input = Json)]
pub async fn list() -> Result<Vec<Token>, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::token::list(&engine, &actor).await?)
}

#[server(prefix = "/fn", endpoint = "token/create", input = Json)]
pub async fn create(new: NewToken) -> Result<CreatedToken, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::token::create(&engine, &actor, new).await?)
}

#[server(prefix = "/fn", endpoint = "token/revoke", input = Json)]
pub async fn revoke(id: Uuid) -> Result<(), Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    engine::token::revoke(&engine, &actor, id).await?;
    Ok(())
}
