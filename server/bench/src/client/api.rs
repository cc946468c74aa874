use reqwest::{Client, Method, Response, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;
use wire::chat::Sent;

use super::http;
use crate::result::Result;

/// A person's program on Confab's API: signed in once, then with a token of its own.
#[derive(Clone)]
pub struct Api {
    client: Client,
    base: String,
    token: String,
    /// The session, for what a browser would ask.
    cookie: String,
}

impl Api {
    /// Signs in and makes a token.
    pub async fn sign_in(base: &str, email: &str, password: &str) -> Result<Api> {
        let client = http::client()?;
        let answer = client
            .post(format!("{base}/api/v1/session"))
            .header(header::ORIGIN, base)
            .header(header::CONTENT_TYPE, "application/json")
            .body(serde_json::to_vec(&json!({"email": email, "password": password}))?)
            .send()
            .await?;
        let answer = good(answer).await?;
        let cookies = answer.headers().get_all(header::SET_COOKIE);
        let cookie =
            cookies.iter().filter_map(|cookie| cookie.to_str().ok()?.split(';').next()).collect::<Vec<_>>().join("; ");
        let mut api = Api { client, base: base.to_owned(), token: String::new(), cookie };
        let made = api
            .client
            .post(format!("{base}/api/v1/tokens"))
            .header(header::ORIGIN, base)
            .header(header::COOKIE, &api.cookie)
            .header(header::CONTENT_TYPE, "application/json")
            .body(r#"{"name":"bench"}"#)
            .send()
            .await?;
        let made: Value = serde_json::from_slice(&good(made).await?.bytes().await?)?;
        api.token = made["token"].as_str().ok_or("the answer holds no token")?.to_owned();
        Ok(api)
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.ask(Method::GET, path, None::<&()>).await
    }

    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T> {
        self.ask(Method::POST, path, Some(body)).await
    }

    /// A page as a signed-in browser asks for it.
    pub async fn page(&self, path: &str) -> Result<String> {
        let request = self.client.get(format!("{}{path}", self.base)).header(header::COOKIE, &self.cookie);
        let answer = good(request.header(header::ACCEPT, "text/html").send().await?).await?;
        Ok(answer.text().await?)
    }

    /// Sends a message with which a turn begins.
    pub async fn send(&self, chat_id: Uuid, client_id: &str, text: &str) -> Result<Sent> {
        self.post(&format!("/api/v1/chats/{chat_id}/messages"), &json!({"client_id": client_id, "text": text})).await
    }

    async fn ask<T: DeserializeOwned>(&self, method: Method, path: &str, body: Option<&impl Serialize>) -> Result<T> {
        let mut request = self.client.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.header(header::CONTENT_TYPE, "application/json").body(serde_json::to_vec(body)?);
        }
        let bytes = good(request.send().await?).await?.bytes().await?;
        serde_json::from_slice(&bytes).map_err(|error| format!("{path}: {error}").into())
    }
}

/// The answer, or what it says when it is a refusal.
pub async fn good(answer: Response) -> Result<Response> {
    if answer.status().is_success() {
        return Ok(answer);
    }
    let (status, path) = (answer.status(), answer.url().path().to_owned());
    let text = answer.text().await.unwrap_or_default();
    Err(format!("{path} answered {status}: {}", text.chars().take(300).collect::<String>()).into())
}
