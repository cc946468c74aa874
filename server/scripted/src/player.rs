//! Plays one step as the body of an answer.

use crate::dialect::{Encoder, Frame};
use crate::script::{Action, Step, Wire};
use crate::state::{Ending, State};
use crate::tokens::Tokens;
use axum::body::Bytes;
use futures::stream::{Stream, unfold};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Player {
    state: Arc<State>,
    key: String,
    number: usize,
    wire: Wire,
    actions: VecDeque<Action>,
    encoder: Encoder,
    tokens: Option<Tokens>,
    pieces: VecDeque<Bytes>,
    written: usize,
    stage: Stage,
}

enum Stage {
    Start,
    Playing,
    /// What is in `pieces` is the rest.
    Last,
    Ended,
}

impl Player {
    pub fn new(state: Arc<State>, key: String, number: usize, step: &Step, encoder: Encoder) -> Self {
        let actions = step.actions.iter().cloned().collect();
        Self {
            state,
            key,
            number,
            wire: step.wire,
            actions,
            encoder,
            tokens: None,
            pieces: VecDeque::new(),
            written: 0,
            stage: Stage::Start,
        }
    }

    pub fn body(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        unfold(self, |mut player| async move { player.next().await.map(|item| (item, player)) })
    }

    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        loop {
            if let Some(piece) = self.pieces.pop_front() {
                if self.wire.bytes.is_some() || self.wire.split.is_some() {
                    // lets the piece before leave for the network on its own
                    tokio::task::yield_now().await;
                }
                if self.pieces.is_empty() && matches!(self.stage, Stage::Last) {
                    self.end();
                }
                return Some(Ok(piece));
            }
            if let Some(tokens) = &mut self.tokens {
                let frame = tokens.next(&self.encoder).await;
                match frame {
                    Some(text) => self.cut(text.into_bytes()),
                    None => self.close_tokens(),
                }
                continue;
            }
            match self.stage {
                Stage::Start => {
                    self.stage = Stage::Playing;
                    let frames = self.encoder.start();
                    self.write(&frames);
                }
                Stage::Playing => {
                    let action = self.actions.pop_front();
                    if let Some(Action::Reset) = action {
                        // what was written before must have left, or it is lost with the connection
                        tokio::task::yield_now().await;
                        self.end();
                        return Some(Err(io::Error::from(io::ErrorKind::ConnectionReset)));
                    }
                    self.play(action).await;
                }
                Stage::Last => self.end(),
                Stage::Ended => return None,
            }
        }
    }

    async fn play(&mut self, action: Option<Action>) {
        match action {
            None => {
                let mut frames = self.encoder.finish();
                frames.push(self.encoder.terminal());
                self.write(&frames);
                self.last();
            }
            Some(Action::CutBeforeTerminal) => {
                let frames = self.encoder.finish();
                self.write(&frames);
                self.last();
            }
            Some(Action::Cut) => self.last(),
            Some(action @ Action::Error { .. }) => {
                let frames = self.encoder.action(&action);
                self.write(&frames);
                self.last();
            }
            Some(Action::Silence) => std::future::pending().await,
            Some(Action::Hold { gate }) => self.hold(&gate).await,
            Some(Action::Pings { gate }) => {
                self.hold(&gate).await;
                let frames = self.encoder.action(&Action::Ping);
                self.write(&frames);
                self.actions.push_front(Action::Pings { gate });
            }
            Some(Action::Delay { milliseconds }) => tokio::time::sleep(Duration::from_millis(milliseconds)).await,
            Some(Action::Raw { text }) => self.cut(text.into_bytes()),
            Some(Action::Tokens { count, microseconds }) => self.open_tokens(count, microseconds),
            Some(action) => {
                let frames = self.encoder.action(&action);
                self.write(&frames);
            }
        }
    }

    async fn hold(&self, gate: &str) {
        let gate = self.state.gate(&self.key, gate);
        gate.arrived.add_permits(1);
        if let Ok(permit) = gate.open.acquire().await {
            permit.forget();
        }
    }

    fn open_tokens(&mut self, count: usize, microseconds: u64) {
        let frames = self.encoder.open_text();
        self.write(&frames);
        self.tokens = Some(Tokens::new(count, microseconds, self.wire));
    }

    fn close_tokens(&mut self) {
        self.tokens = None;
        let frames = self.encoder.close_text();
        self.write(&frames);
    }

    fn write(&mut self, frames: &[Frame]) {
        let text: String = frames.iter().map(|frame| frame.bytes(self.wire)).collect();
        self.cut(text.into_bytes());
    }

    /// Cuts bytes as the step's wire wants it.
    fn cut(&mut self, bytes: Vec<u8>) {
        let start = self.written;
        let mut bytes = Bytes::from(bytes);
        if let Some(end) = self.wire.end_after
            && start + bytes.len() >= end
        {
            bytes.truncate(end.saturating_sub(start));
            self.last();
        }
        self.written += bytes.len();
        if let Some(split) = self.wire.split.filter(|split| (start + 1..start + bytes.len()).contains(split)) {
            self.pieces.push_back(bytes.split_to(split - start));
        }
        let size = self.wire.bytes.unwrap_or(bytes.len()).max(1);
        while !bytes.is_empty() {
            self.pieces.push_back(bytes.split_to(size.min(bytes.len())));
        }
    }

    fn last(&mut self) {
        self.stage = Stage::Last;
    }

    fn end(&mut self) {
        self.stage = Stage::Ended;
        self.state.ended(&self.key, self.number, Ending::Sent);
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        if !matches!(self.stage, Stage::Ended) {
            self.state.ended(&self.key, self.number, Ending::Dropped);
        }
    }
}
