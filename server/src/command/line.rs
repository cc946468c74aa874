use std::{fmt::Write, path::PathBuf};

use clap::{Parser, Subcommand};

use wire::access::{Role, Scope};

use crate::config::{KEYS, Keys};

/// Planning in chats: ask for a change, get a versioned record.
#[derive(Debug, Parser)]
#[command(name = "confab", version, about, after_long_help = keys_as_help())]
pub struct Line {
    /// A TOML file with any of the keys below
    #[arg(long, global = true, env = "CONFAB_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address and port to listen on
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<String>,
    /// The data folder
    #[arg(long, global = true, value_name = "FOLDER")]
    data: Option<String>,
    /// A Postgres to use instead of a private one
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,
    #[command(subcommand)]
    pub command: Sub,
}

#[derive(Debug, Subcommand)]
pub enum Sub {
    /// Serve the page and the API; migrates first
    Serve {
        /// Add the demo organisation, its five accounts and its records, where they are missing
        #[arg(long)]
        demo: bool,
    },
    /// Bring the schema of the database up to date
    Migrate,
    /// Check what the installation needs and say what to do
    Doctor,
    /// Add the demo organisation, its five accounts and its records, where they are missing
    SeedDemo,
    /// Accounts
    User {
        #[command(subcommand)]
        action: User,
    },
}

#[derive(Debug, Subcommand)]
pub enum User {
    /// Add an account, and its organisation when that is new
    Add {
        #[arg(long, value_name = "NAME")]
        organisation: String,
        #[arg(long)]
        email: String,
        #[arg(long)]
        password: String,
        /// viewer, member, lead, admin or owner
        #[arg(long, value_parser = role)]
        role: Role,
        /// What others see; absent: the part of the e-mail before the @
        #[arg(long)]
        name: Option<String>,
    },
    /// Print a new personal access token, alone on a line
    Token {
        #[arg(long)]
        email: String,
        /// Such as records.read,chat.use; absent: all that the account's role holds
        #[arg(long, value_delimiter = ',', value_parser = scope)]
        scopes: Option<Vec<Scope>>,
    },
}

fn role(name: &str) -> Result<Role, String> {
    Role::parse(name).ok_or_else(|| {
        let known: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
        format!("known are {}", known.join(", "))
    })
}

fn scope(name: &str) -> Result<Scope, String> {
    Scope::parse(name.trim()).ok_or_else(|| {
        let known: Vec<&str> = Scope::ALL.iter().map(|scope| scope.name()).collect();
        format!("known are {}", known.join(", "))
    })
}

impl Line {
    /// What is configured, from this line, the environment and the file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn keys(&self) -> Result<Keys, String> {
        let given = [("listen", &self.listen), ("data", &self.data), ("database_url", &self.database_url)];
        let flags: Vec<_> =
            given.into_iter().filter_map(|(name, value)| value.clone().map(|value| (name, value))).collect();
        let file = self.config.as_ref().map(|path| (path.display().to_string(), std::fs::read_to_string(path)));
        let file = match file {
            Some((name, Ok(text))) => Some((name, text)),
            Some((name, Err(error))) => {
                return Err(format!("The configuration file {name} cannot be read: {error}."));
            }
            None => None,
        };
        let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
        Keys::read(&flags, |name| std::env::var(name).ok(), file)
    }
}

fn keys_as_help() -> String {
    let mut help = "Configuration, as an environment variable or as a key of the file:\n".to_owned();
    for key in KEYS {
        let _ = writeln!(help, "  {:<23} {:<18} {}", key.variable, key.name, key.about);
    }
    help
}
