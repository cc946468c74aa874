//! Why a command was refused. Each refusal is a sentence that says what was wrong and what to do, with a code for programs.

use wire::access::Scope;
use wire::error::Problem;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not there, or not the actor's to see: the two are never told apart.
    #[error("{0} was not found.")]
    NotFound(&'static str),
    /// The actor may see the thing, and may not do this to it.
    #[error("This needs the scope {}, which your role does not hold. Ask an admin of your organisation.", .0.name())]
    Forbidden(Scope),
    /// Nobody is signed in, or what was given to sign in with is wrong.
    #[error("{0}")]
    Unauthorised(&'static str),
    /// The input cannot be taken as it is.
    #[error("{detail}")]
    Invalid { code: &'static str, detail: String },
    /// The input is fine, and what is stored speaks against it now.
    #[error("{detail}")]
    Conflict { code: &'static str, detail: String },
    /// It was there and is over: an ended chat, an expired question.
    #[error("{detail}")]
    Gone { code: &'static str, detail: String },
    /// Too often; again after this many seconds.
    #[error("Too many attempts. Try again in {retry_after} seconds.")]
    TooMany { retry_after: u64 },
    /// Larger than allowed.
    #[error("{0}")]
    TooLarge(String),
    /// Something outside cannot be reached now.
    #[error("{0}")]
    Unavailable(String),
    /// The turn is driven by another attempt: whoever meets this stops writing.
    #[error("The turn goes on elsewhere.")]
    Fenced,
    #[error("The database could not answer. Try again.")]
    Database(sqlx::Error),
}

impl Error {
    #[must_use]
    pub fn invalid(code: &'static str, detail: impl Into<String>) -> Error {
        Error::Invalid { code, detail: detail.into() }
    }

    #[must_use]
    pub fn conflict(code: &'static str, detail: impl Into<String>) -> Error {
        Error::Conflict { code, detail: detail.into() }
    }

    #[must_use]
    pub fn gone(code: &'static str, detail: impl Into<String>) -> Error {
        Error::Gone { code, detail: detail.into() }
    }

    /// The HTTP status that says the same.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            Error::NotFound(_) => 404,
            Error::Forbidden(_) => 403,
            Error::Unauthorised(_) => 401,
            Error::Invalid { .. } => 422,
            Error::Conflict { .. } | Error::Fenced => 409,
            Error::Gone { .. } => 410,
            Error::TooMany { .. } => 429,
            Error::TooLarge(_) => 413,
            Error::Unavailable(_) => 503,
            Error::Database(cause) if passes(cause) => 503,
            Error::Database(_) => 500,
        }
    }

    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Error::NotFound(_) => "not_found",
            Error::Forbidden(_) => "forbidden",
            Error::Unauthorised(_) => "unauthorised",
            Error::Invalid { code, .. } | Error::Conflict { code, .. } | Error::Gone { code, .. } => code,
            Error::TooMany { .. } => "too_many",
            Error::TooLarge(_) => "too_large",
            Error::Unavailable(_) => "unavailable",
            Error::Fenced => "fenced",
            Error::Database(_) => "database",
        }
    }

    #[must_use]
    pub const fn title(&self) -> &'static str {
        match self {
            Error::NotFound(_) => "Not found",
            Error::Forbidden(_) => "Not allowed",
            Error::Unauthorised(_) => "Not signed in",
            Error::Invalid { .. } => "Not valid",
            Error::Conflict { .. } | Error::Fenced => "Conflict",
            Error::Gone { .. } => "Gone",
            Error::TooMany { .. } => "Too many attempts",
            Error::TooLarge(_) => "Too large",
            Error::Unavailable(_) | Error::Database(_) => "Not available",
        }
    }

    #[must_use]
    pub fn problem(&self) -> Problem {
        Problem {
            status: self.status(),
            title: self.title().to_owned(),
            detail: self.to_string(),
            code: self.code().to_owned(),
        }
    }
}

/// Locks that met, a server that restarts or is full: the same may work in a moment.
fn passes(cause: &sqlx::Error) -> bool {
    match cause {
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => true,
        sqlx::Error::Database(refusal) => {
            refusal.code().is_some_and(|code| ["08", "40", "53", "57"].iter().any(|class| code.starts_with(class)))
        }
        _ => false,
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Error {
        let sqlx::Error::Database(refusal) = &error else { return Error::Database(error) };
        match refusal.code().as_deref() {
            Some("CF001") => Error::Fenced,
            // U+0000, which Postgres keeps in no text
            Some("22021" | "22P05") => Error::invalid("nul", "Text may not hold the character NUL (U+0000)."),
            _ => Error::Database(error),
        }
    }
}
