use std::time::Duration;

/// Why a call of a model failed. Each message is a sentence for the person in the chat and says what to do; `detail` is what the
/// provider wrote, cut to a readable length.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// 401 or 403.
    #[error("The provider refused the key ({detail}). Check the API key and what it may use.")]
    Unauthorised { detail: String },

    /// 404, or an error that says that the model is not known.
    #[error(
        "The provider does not know the model “{model}” ({detail}). Choose another model, or check the provider's address."
    )]
    UnknownModel { model: String, detail: String },

    /// Another 4xx: the request itself was not accepted, so sending it again would not help.
    #[error(
        "The provider refused the request with status {status} ({detail}). Change the request or the model's settings."
    )]
    Refused { status: u16, detail: String },

    /// 402, or a message that says that the account has no credit or quota left.
    #[error("The provider's account has no credit or quota left ({detail}). Top it up or choose another provider.")]
    OutOfCredit { detail: String },

    /// 429 after the last attempt, or with a wait longer than we accept.
    #[error("The provider limits the rate of requests. {}", .retry_after.map_or_else(|| "Try again in a few minutes.".to_owned(), wait_sentence))]
    RateLimited { retry_after: Option<Duration> },

    /// 500, 502, 503, 529 or an error event of that kind, after the last attempt.
    #[error("The provider is overloaded or has a fault of its own ({detail}). {}", .retry_after.map_or_else(|| "Try again in a few minutes.".to_owned(), wait_sentence))]
    Overloaded { detail: String, retry_after: Option<Duration> },

    /// No connection, or it failed before the answer began.
    #[error("The provider could not be reached ({detail}). Check its address and the network, then try again.")]
    Unreachable { detail: String },

    /// The connection stayed open but nothing meaningful came.
    #[error("The provider went silent for {seconds} seconds. Try again; if it happens often, choose another model.")]
    Silent { seconds: u64 },

    /// The answer ended, or broke off, without the provider's terminal event.
    #[error("The provider's answer broke off before its end. Try again.")]
    Cut,

    /// An image in the conversation was not accepted. The loop strips it and makes the call again.
    #[error(
        "The provider could not read an image of the conversation ({detail}). The image is left out from now on; send the message again."
    )]
    BadImage { detail: String },

    /// The conversation does not fit into the model's window.
    #[error(
        "The conversation is too long for the model ({detail}). Shorten it, or choose a model with a larger window."
    )]
    ContextTooLong { detail: String },

    /// What came is not the provider's protocol.
    #[error(
        "The provider answered with something that is not its protocol ({detail}). Check the provider's address and kind."
    )]
    Malformed { detail: String },

    /// The token was cancelled.
    #[error("Stopped.")]
    Stopped,
}

impl ProviderError {
    /// A stable name for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unauthorised { .. } => "provider_unauthorised",
            Self::UnknownModel { .. } => "provider_unknown_model",
            Self::Refused { .. } => "provider_refused",
            Self::OutOfCredit { .. } => "provider_out_of_credit",
            Self::RateLimited { .. } => "provider_rate_limited",
            Self::Overloaded { .. } => "provider_overloaded",
            Self::Unreachable { .. } => "provider_unreachable",
            Self::Silent { .. } => "provider_silent",
            Self::Cut => "provider_cut",
            Self::BadImage { .. } => "provider_bad_image",
            Self::ContextTooLong { .. } => "provider_context_too_long",
            Self::Malformed { .. } => "provider_malformed",
            Self::Stopped => "stopped",
        }
    }

    /// Whether the same request may succeed later. The provider has then already tried several times.
    #[must_use]
    pub const fn retryable(&self) -> bool {
        match self {
            Self::RateLimited { .. }
            | Self::Overloaded { .. }
            | Self::Unreachable { .. }
            | Self::Silent { .. }
            | Self::Cut => true,
            Self::Unauthorised { .. }
            | Self::UnknownModel { .. }
            | Self::Refused { .. }
            | Self::OutOfCredit { .. }
            | Self::BadImage { .. }
            | Self::ContextTooLong { .. }
            | Self::Malformed { .. }
            | Self::Stopped => false,
        }
    }
}

impl ProviderError {
    /// What happened, without advice: the reason that a person reads while the call waits for its next attempt.
    pub(super) fn cause(&self) -> String {
        match self {
            Self::RateLimited { .. } => "The provider limits the rate of requests.".into(),
            Self::Overloaded { .. } => "The provider is overloaded or has a fault of its own.".into(),
            Self::Unreachable { .. } => "The provider could not be reached.".into(),
            Self::Silent { seconds } => format!("The provider went silent for {seconds} seconds."),
            Self::Cut => "The provider's answer broke off before its end.".into(),
            Self::Malformed { .. } => "The provider sent something that is not its protocol.".into(),
            Self::Unauthorised { .. }
            | Self::UnknownModel { .. }
            | Self::Refused { .. }
            | Self::OutOfCredit { .. }
            | Self::BadImage { .. }
            | Self::ContextTooLong { .. }
            | Self::Stopped => self.to_string(),
        }
    }

    /// The same error with what the provider wrote changed.
    pub(super) fn map_detail(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Unauthorised { detail } => Self::Unauthorised { detail: change(detail) },
            Self::UnknownModel { model, detail } => Self::UnknownModel { model, detail: change(detail) },
            Self::Refused { status, detail } => Self::Refused { status, detail: change(detail) },
            Self::OutOfCredit { detail } => Self::OutOfCredit { detail: change(detail) },
            Self::Overloaded { detail, retry_after } => Self::Overloaded { detail: change(detail), retry_after },
            Self::Unreachable { detail } => Self::Unreachable { detail: change(detail) },
            Self::BadImage { detail } => Self::BadImage { detail: change(detail) },
            Self::ContextTooLong { detail } => Self::ContextTooLong { detail: change(detail) },
            Self::Malformed { detail } => Self::Malformed { detail: change(detail) },
            Self::RateLimited { .. } | Self::Silent { .. } | Self::Cut | Self::Stopped => self,
        }
    }
}

fn wait_sentence(wait: Duration) -> String {
    let seconds = wait.as_secs_f64().ceil() as u64;
    let (amount, unit) = match seconds {
        0..120 => (seconds, "second"),
        120..7200 => (seconds.div_ceil(60), "minute"),
        _ => (seconds.div_ceil(3600), "hour"),
    };
    format!("It asks to wait {amount} {unit}{}; try again then.", if amount == 1 { "" } else { "s" })
}
