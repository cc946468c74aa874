use engine::person::{AddUser, add_user, issue_token};

use super::{
    line::User,
    open::{open, sentence},
};
use crate::{config::Config, telemetry};

/// Adds an account or prints a token for one; also beside a server that runs.
///
/// # Errors
/// A sentence.
pub async fn user(config: Config, action: User) -> Result<(), String> {
    telemetry::log(config.log, true);
    let opened = open(&config).await?;
    let done = match action {
        User::Add { organisation, email, password, role, name } => {
            let line = format!("{email} is {} of {organisation}.", role.name());
            let new = AddUser { organisation, email, password, role, name };
            add_user(&opened.engine, new).await.map(|_| line)
        }
        User::Token { email, scopes } => issue_token(&opened.engine, &email, scopes).await,
    };
    opened.close().await;
    println!("{}", done.map_err(|error| sentence(&error))?);
    Ok(())
}
