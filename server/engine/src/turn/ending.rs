use wire::event::Banner;
use wire::turn::{TurnError, TurnState};

use crate::provider::{Block, ProviderError, Usage};

/// How a turn ends, before it is written.
pub(super) struct Ending {
    pub state: TurnState,
    pub error: Option<TurnError>,
    /// What the message says at its end about how it ended.
    pub say: Option<String>,
    pub banner: Option<Banner>,
    /// The last call of the model, which is not stored yet.
    pub step: Option<LastStep>,
}

/// A call of the model that no other follows.
pub(super) struct LastStep {
    pub blocks: Vec<Block>,
    pub usage: Usage,
}

impl Ending {
    fn plain(state: TurnState) -> Ending {
        Ending { state, error: None, say: None, banner: None, step: None }
    }

    pub fn completed() -> Ending {
        Ending::plain(TurnState::Completed)
    }

    pub fn stopped() -> Ending {
        Ending::plain(TurnState::Stopped)
    }

    /// The turn ends in good order, for a reason that the message says.
    pub fn cut_short(code: &str, why: &str) -> Ending {
        let error = TurnError { code: code.to_owned(), detail: why.to_owned() };
        Ending { error: Some(error), say: Some(why.to_owned()), ..Ending::completed() }
    }

    pub fn failed(code: &str, detail: impl Into<String>) -> Ending {
        let error = TurnError { code: code.to_owned(), detail: detail.into() };
        Ending { error: Some(error), ..Ending::plain(TurnState::Failed) }
    }

    pub fn interrupted(code: &str, detail: impl Into<String>) -> Ending {
        Ending { state: TurnState::Interrupted, ..Ending::failed(code, detail) }
    }

    /// The model could not be had; the person is told what to do.
    pub fn provider(failure: &ProviderError) -> Ending {
        let banner = match failure {
            ProviderError::Unauthorised { .. } | ProviderError::OutOfCredit { .. } => ("provider_key", true),
            ProviderError::UnknownModel { .. } => ("provider_model", true),
            _ => ("provider_down", true),
        };
        let text = failure.to_string();
        let (code, alert) = banner;
        let banner = Banner { code: code.to_owned(), text: text.clone(), href: None, alert };
        Ending { banner: Some(banner), ..Ending::failed(failure.code(), text) }
    }

    pub fn with_step(self, blocks: Vec<Block>, usage: Usage) -> Ending {
        Ending { step: Some(LastStep { blocks, usage }), ..self }
    }
}
