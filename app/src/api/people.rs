use leptos::{prelude::*, server_fn::codec::Json};
use wire::person::Named;

use super::error::Refusal;

/// The people of the organisation.
#[server(prefix = "/fn", endpoint = "people/list", input = Json)]
pub async fn list() -> Result<Vec<Named>, Refusal> {
    let (engine, actor) = (super::actor::engine()?, super::actor::actor()?);
    Ok(engine::person::people(&engine, &actor).await?)
}
