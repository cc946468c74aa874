use futures::StreamExt;
use futures::stream::BoxStream;
use reqwest::Client;
use uuid::Uuid;

use super::api::{Api, good};
use super::delta::{Meaning, of_confab};
use super::http;
use super::sse::{Event, Parser};
use super::tokens::Tokens;
use crate::measure::clock;
use crate::result::Result;

/// One client that follows one chat: an open stream of its log.
pub struct Chat {
    pub id: Uuid,
    api: Api,
    pieces: BoxStream<'static, reqwest::Result<axum::body::Bytes>>,
    parser: Parser,
    /// When the bytes came in of which events are being taken.
    now: u64,
    /// The number of the newest event.
    pub cursor: Option<String>,
    sends: usize,
}

impl Chat {
    /// Makes a chat and follows it.
    pub async fn make(api: &Api, project_id: Uuid, record_id: Option<Uuid>) -> Result<Chat> {
        let body = serde_json::json!({"record_id": record_id});
        let chat: wire::chat::Chat = api.post(&format!("/api/v1/projects/{project_id}/chats"), &body).await?;
        Chat::follow(api, chat.id).await
    }

    /// Follows a chat from now on.
    pub async fn follow(api: &Api, id: Uuid) -> Result<Chat> {
        let mut chat = Chat::open(&http::client()?, api, id, None).await?;
        // the stream stands once it has said that it is attached
        chat.next().await?;
        Ok(chat)
    }

    /// Opens the stream of a chat, after a cursor where there is one.
    pub async fn open(client: &Client, api: &Api, id: Uuid, cursor: Option<&str>) -> Result<Chat> {
        let mut request = client.get(format!("{}/api/v1/chats/{id}/events", api.base())).bearer_auth(api.token());
        if let Some(cursor) = cursor {
            request = request.header("last-event-id", cursor);
        }
        let answer = good(request.send().await?).await?;
        Ok(Chat {
            id,
            api: api.clone(),
            pieces: answer.bytes_stream().boxed(),
            parser: Parser::default(),
            now: clock::microseconds(),
            cursor: cursor.map(str::to_owned),
            sends: 0,
        })
    }

    /// The next event with when it was read.
    pub async fn next(&mut self) -> Result<(Event, u64)> {
        loop {
            if let Some(event) = self.parser.next() {
                if event.id.is_some() {
                    self.cursor.clone_from(&event.id);
                }
                return Ok((event, self.now));
            }
            let piece = self.pieces.next().await.ok_or("the stream of a chat ended")??;
            self.now = clock::microseconds();
            self.parser.push(&piece);
        }
    }

    /// Sends a message without waiting for what comes of it.
    pub async fn send(&mut self, text: &str) -> Result<wire::chat::Sent> {
        self.sends += 1;
        self.api.send(self.id, &format!("bench-{}", self.sends), text).await
    }

    /// Sends a message and reads the turn to its end.
    pub async fn turn(&mut self, text: &str) -> Result<Tokens> {
        self.sends += 1;
        let (api, id, client_id) = (self.api.clone(), self.id, format!("bench-{}", self.sends));
        let mut tokens = Tokens::ask();
        // the stream may tell of the turn before the answer to the send is here
        let (sent, read) = tokio::join!(api.send(id, &client_id, text), self.read(&mut tokens));
        sent?;
        read?;
        Ok(tokens)
    }

    /// Reads the texts of a turn up to its end.
    pub async fn read(&mut self, tokens: &mut Tokens) -> Result<()> {
        loop {
            let (event, now) = self.next().await?;
            match of_confab(&event.data) {
                Meaning::Text(text) => tokens.hear(&text, now),
                Meaning::Finished => return Ok(()),
                Meaning::Failed => return Err(format!("a turn failed: {}", event.data).into()),
                Meaning::Other => {}
            }
        }
    }
}
