use super::failure::{Failure, cut};
use super::outlet::{self, Outlet};
use super::pace::{Pace, RealPace};
use super::reader::{Progress, Reader};
use super::retry::{self, Policy};
use super::settings::{Dialect, Settings};
use super::sse::Parser;
use super::{Completion, Delta, Provider, ProviderError, Request, Usage, anthropic, history, openai};
use futures::stream::BoxStream;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response, Url};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How much of a refusal's body is read.
const LONGEST_REFUSAL: usize = 64 << 10;

/// How long the end of a complete answer is waited for.
const LONGEST_DRAIN: Duration = Duration::from_millis(50);

/// A model behind HTTP.
#[derive(Clone)]
pub struct RemoteProvider {
    client: Client,
    url: Url,
    headers: HeaderMap,
    settings: Settings,
    pace: Arc<dyn Pace>,
}

impl RemoteProvider {
    /// # Errors
    /// When the address or the key cannot be one.
    pub fn new(settings: Settings) -> Result<Self, ProviderError> {
        Self::with_pace(settings, Arc::new(RealPace))
    }

    /// # Errors
    /// When the address or the key cannot be one.
    pub fn with_pace(settings: Settings, pace: Arc<dyn Pace>) -> Result<Self, ProviderError> {
        let url = settings.url()?;
        let headers = settings.headers()?;
        let mut client = Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .tcp_keepalive(Duration::from_secs(30))
            // a redirect would carry the prompt to where nobody configured
            .redirect(reqwest::redirect::Policy::none());
        if is_loopback(&url) {
            client = client.no_proxy();
        }
        if url.scheme() == "http" {
            // a local model needs no certificates, and a machine without any can still use it
            client = client.tls_certs_only([]);
        }
        let client = client.build().map_err(|error| ProviderError::Unreachable { detail: reason(&error) })?;
        Ok(Self { client, url, headers, settings, pace })
    }

    async fn call(self, request: Request, mut outlet: Outlet) -> Result<(), ProviderError> {
        let body = self.body(&request)?;
        let policy = Policy { attempts: self.settings.attempts, longest_wait: self.settings.longest_wait };
        let mut spent = Usage::default();
        let mut attempt = 1;
        loop {
            let mut reader = self.reader(&request.model);
            let failure = match self.attempt(body.clone(), &request.model, &mut reader, spent, &mut outlet).await {
                Ok(mut completion) => {
                    completion.usage += spent;
                    outlet.send(Delta::Done(completion)).await;
                    return Ok(());
                }
                Err(failure) => failure,
            };
            spent += reader.usage();
            let reason = failure.error.cause();
            let pause = policy.after(attempt, failure, self.pace.jitter()).map_err(|error| self.without_key(error))?;
            attempt += 1;
            outlet.send(Delta::Waiting { seconds: whole_seconds(pause), reason: self.masked(&reason) }).await;
            self.pace.pause(pause).await;
            outlet.send(Delta::Restarted).await;
        }
    }

    /// One HTTP request, up to the provider's terminal event.
    async fn attempt(
        &self,
        body: Vec<u8>,
        model: &str,
        reader: &mut Reader,
        spent: Usage,
        outlet: &mut Outlet,
    ) -> Result<Completion, Failure> {
        let request = self.client.post(self.url.clone()).headers(self.headers.clone()).body(body).send();
        let mut response = self.unless_silent(request).await?.map_err(|error| unreachable(&error))?;
        if response.status() != 200 {
            return Err(self.refusal(response, model).await);
        }
        if !is_event_stream(&response) {
            let body = self.start_of_body(&mut response).await;
            return Err(not_a_stream(&body, model));
        }
        let mut parser = Parser::default();
        let mut deltas = vec![];
        let mut told = Usage::default();
        loop {
            let mut alarm = self.pace.alarm(self.settings.silence_limit);
            let mut alive = false;
            while !alive {
                let read = tokio::select! {
                    biased;
                    read = response.chunk() => read,
                    () = &mut alarm => return Err(self.silent()),
                };
                let Ok(Some(bytes)) = read else { return Err(Failure::passing(ProviderError::Cut)) };
                parser.push(&bytes).map_err(|_| Failure::malformed("an event without end"))?;
                while let Some(event) = parser.next() {
                    let progress = reader.read(&event, &mut deltas)?;
                    for delta in deltas.drain(..) {
                        outlet.send(delta).await;
                    }
                    if reader.usage() != told {
                        told = reader.usage();
                        let mut total = spent;
                        total += told;
                        outlet.send(Delta::Usage(total)).await;
                    }
                    match progress {
                        Progress::Idle => {}
                        Progress::Alive => alive = true,
                        Progress::Complete(completion) => {
                            self.drain(response).await;
                            return Ok(completion);
                        }
                    }
                }
            }
        }
    }

    /// Reads to the end of a body after its terminal event, so that the next call finds its connection open: a new one costs several
    /// ways to the provider and back. A body that does not end soon is given up.
    async fn drain(&self, mut response: Response) {
        tokio::select! {
            biased;
            () = async { while let Ok(Some(_)) = response.chunk().await {} } => {}
            () = self.pace.alarm(LONGEST_DRAIN) => {}
        }
    }

    fn body(&self, request: &Request) -> Result<Vec<u8>, ProviderError> {
        let items = history::mend(request.items.clone());
        let body = match self.settings.dialect {
            Dialect::Anthropic => anthropic::body(request, &items),
            Dialect::OpenAi => openai::body(request, &items, self.is_openai()),
        };
        serde_json::to_vec(&body).map_err(|error| ProviderError::Malformed { detail: error.to_string() })
    }

    fn reader(&self, model: &str) -> Reader {
        match self.settings.dialect {
            Dialect::Anthropic => Reader::Anthropic(anthropic::Reader::new(model)),
            Dialect::OpenAi => Reader::OpenAi(openai::Reader::new(model, self.pace.clone())),
        }
    }

    async fn unless_silent<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        tokio::select! {
            biased;
            result = work => Ok(result),
            () = self.pace.alarm(self.settings.silence_limit) => Err(self.silent()),
        }
    }

    fn silent(&self) -> Failure {
        Failure::passing(ProviderError::Silent { seconds: self.settings.silence_limit.as_secs() })
    }

    async fn refusal(&self, mut response: Response, model: &str) -> Failure {
        let status = response.status().as_u16();
        let hint = retry::hint(response.headers(), self.pace.now());
        let body = self.start_of_body(&mut response).await;
        Failure::from_status(status, &body, hint, model)
    }

    /// What can be had of a body that is not a stream.
    async fn start_of_body(&self, response: &mut Response) -> String {
        let mut body = vec![];
        while body.len() < LONGEST_REFUSAL
            && let Ok(Ok(Some(bytes))) = self.unless_silent(response.chunk()).await
        {
            body.extend_from_slice(&bytes);
        }
        String::from_utf8_lossy(&body).into_owned()
    }

    fn is_openai(&self) -> bool {
        self.url.host_str().is_some_and(|host| host.ends_with("openai.com") || host.ends_with("openai.azure.com"))
    }

    /// A provider may quote the key it was given.
    fn masked(&self, text: &str) -> String {
        match self.settings.api_key.as_deref() {
            Some(key) if key.len() > 3 => text.replace(key, "[key]"),
            _ => text.to_owned(),
        }
    }

    fn without_key(&self, error: ProviderError) -> ProviderError {
        error.map_detail(|detail| self.masked(&detail))
    }
}

impl Provider for RemoteProvider {
    fn name(&self) -> &'static str {
        match self.settings.dialect {
            Dialect::Anthropic => "anthropic",
            Dialect::OpenAi => "openai",
        }
    }

    fn stream(&self, request: Request, stop: CancellationToken) -> BoxStream<'static, Result<Delta, ProviderError>> {
        let provider = self.clone();
        outlet::stream(move |outlet| async move {
            tokio::select! {
                biased;
                () = stop.cancelled() => Err(ProviderError::Stopped),
                result = provider.call(request, outlet) => result,
            }
        })
    }
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| host == "localhost" || host == "[::1]" || host.starts_with("127."))
}

fn is_event_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // a proxy may drop the type, but not put another in its place
    kind.trim().is_empty() || kind.to_ascii_lowercase().starts_with("text/event-stream")
}

/// An answer with status 200 that is no stream: an error in disguise, or the wrong address.
fn not_a_stream(body: &str, model: &str) -> Failure {
    match serde_json::from_str::<serde_json::Value>(body) {
        Ok(value) if value.get("error").is_some_and(|error| !error.is_null()) => Failure::from_event(&value, model),
        Ok(_) => Failure::final_(ProviderError::Malformed { detail: "a whole answer instead of a stream".into() }),
        Err(_) => Failure::final_(ProviderError::Malformed { detail: "a page instead of a stream".into() }),
    }
}

fn unreachable(error: &reqwest::Error) -> Failure {
    Failure::passing(ProviderError::Unreachable { detail: reason(error) })
}

/// The innermost cause, which is the one that says something; without the address.
fn reason(error: &reqwest::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    cut(&innermost.to_string())
}

fn whole_seconds(pause: Duration) -> u64 {
    pause.as_secs() + u64::from(pause.subsec_nanos() > 0)
}
