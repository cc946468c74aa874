use leptos::server_fn::{codec::JsonEncoding, error::FromServerFnError, error::ServerFnErrorErr};
use serde::{Deserialize, Serialize};
use wire::error::Problem;

/// Why a server function did not do what it was asked, as the API says it too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Refusal(pub Problem);

impl Refusal {
    #[must_use]
    pub fn new(status: u16, code: &str, detail: &str) -> Refusal {
        let title = match status {
            400 | 422 => "That was not understood",
            401 => "Please sign in",
            403 => "Not allowed",
            404 => "Not found",
            409 => "Something changed meanwhile",
            429 => "Too many attempts",
            503 => "Not reachable",
            _ => "Something went wrong",
        };
        Refusal(Problem { status, title: title.to_owned(), detail: detail.to_owned(), code: code.to_owned() })
    }

    #[must_use]
    pub fn not_found() -> Refusal {
        Refusal::new(404, "not_found", "There is nothing here, or it is not yours to see.")
    }

    /// The sentence for the person.
    #[must_use]
    pub fn detail(&self) -> String {
        self.0.detail.clone()
    }

    /// Gives the answer the status of the refusal. Two keep their own: a page that is drawn for somebody who is not signed in
    /// leads on to the sign-in, and a form that was posted without WebAssembly leads back to its page.
    #[cfg(feature = "ssr")]
    #[must_use]
    pub(super) fn told(self) -> Refusal {
        use leptos::prelude::use_context;
        let draws_a_page = use_context::<leptos_router::location::RequestUrl>().is_some();
        let leads_on = if draws_a_page { self.0.status == 401 } else { super::actor::wants_html() };
        if let Some(options) = use_context::<leptos_axum::ResponseOptions>()
            && !leads_on
            && let Ok(status) = http::StatusCode::from_u16(self.0.status)
        {
            options.set_status(status);
        }
        self
    }
}

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Refusal {
        let refusal = match &error {
            ServerFnErrorErr::Request(_) => {
                Refusal::new(503, "offline", "The server could not be reached. Check the connection and try again.")
            }
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => {
                Refusal::new(400, "invalid", "The request was incomplete. Reload the page and try again.")
            }
            // on the server it is what was sent that does not fit; in the browser, what was answered
            ServerFnErrorErr::Deserialization(_) => Refusal::new(
                if cfg!(feature = "ssr") { 400 } else { 502 },
                "stale",
                "The server and this page do not fit together. Reload the page and try again.",
            ),
            _ => Refusal::new(500, "internal", "The server could not do this. Try again in a moment."),
        };
        #[cfg(feature = "ssr")]
        let refusal = refusal.told();
        refusal
    }
}

#[cfg(feature = "ssr")]
impl From<engine::Error> for Refusal {
    fn from(error: engine::Error) -> Refusal {
        Refusal(error.problem()).told()
    }
}
