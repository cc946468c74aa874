//! What the benchmark measures on, all its own and all gone at its end: a Postgres that syncs to disk, the scripted provider, the relay, and
//! Confab itself with the demo organisation. Nothing here measures.

pub mod browser;
pub mod child;
pub mod database;
mod folder;
pub mod history;
pub mod postgres;
pub mod program;
pub mod provider;
pub mod server;
pub mod work;
pub mod writers;

use std::sync::atomic::{AtomicUsize, Ordering};

use child::Child;
use database::Database;
use folder::Folder;
use postgres::Postgres;
use server::Server;
use uuid::Uuid;
use wire::page::Page;
use wire::record::{Project, Record};

use crate::client::api::Api;
use crate::client::chat::Chat;
use crate::measure::processor;
use crate::result::Result;

/// Everything that runs. Dropped, it ends it all: the fields in this order.
pub struct Stage {
    /// Confab, with the demo organisation.
    pub server: Server,
    relay: Child,
    provider: Child,
    /// Confab's own.
    pub database: Database,
    pub postgres: Postgres,
    pub folder: Folder,
    pub api: Api,
    pub project: Project,
    /// The plan that chats of the benchmark are anchored to.
    pub plan: Record,
    pub quick: bool,
    made: AtomicUsize,
}

impl Stage {
    pub async fn set(quick: bool) -> Result<Stage> {
        let folder = Folder::make()?;
        let postgres = Postgres::start(folder.path()).await?;
        let provider = Child::ourselves(&["provider"]).await?;
        let relay = Child::ourselves(&["relay", "--provider", provider.says()]).await?;
        let database = postgres.create("confab").await?;
        let server = Server::start(&folder.path().join("data"), &database, provider.says(), true).await?;
        let api = Api::sign_in(server.url(), "owner@demo.test", "confab-demo").await?;
        let projects: Page<Project> = api.get("/api/v1/projects").await?;
        let project = projects.items.into_iter().next().ok_or("the demo organisation has no project")?;
        let plans: Page<Record> = api.get(&format!("/api/v1/projects/{}/records?kind=plan", project.id)).await?;
        let plan = plans.items.into_iter().next().ok_or("the demo project has no plan")?;
        Ok(Stage {
            server,
            relay,
            provider,
            database,
            postgres,
            folder,
            api,
            project,
            plan,
            quick,
            made: AtomicUsize::new(0),
        })
    }

    pub fn provider(&self) -> &str {
        self.provider.says()
    }

    pub fn relay(&self) -> &str {
        self.relay.says()
    }

    /// Milliseconds of processor that Confab and its Postgres have taken so far.
    pub fn processor(&self) -> f64 {
        processor::milliseconds(&[self.server.pid(), self.postgres.pid()])
    }

    /// Milliseconds of processor that the relay has taken so far.
    pub fn relay_processor(&self) -> f64 {
        processor::milliseconds(&[self.relay.pid()])
    }

    /// Milliseconds of processor of everything that the benchmark started, and its own.
    pub fn all_processor(&self) -> f64 {
        processor::milliseconds(&[std::process::id(), self.postgres.pid()])
    }

    /// So many, or fewer when it is to be quick.
    pub fn count(&self, full: usize, quick: usize) -> usize {
        if self.quick { quick } else { full }
    }

    /// A number that was not given before, for names.
    pub fn number(&self) -> usize {
        self.made.fetch_add(1, Ordering::Relaxed)
    }

    /// A chat on the plan, with a client that follows it.
    pub async fn chat(&self) -> Result<Chat> {
        Chat::make(&self.api, self.project.id, Some(self.plan.id)).await
    }

    /// So many chats on the plan, each with a client that follows it on a connection of its own.
    pub async fn chats(&self, count: usize) -> Result<Vec<Chat>> {
        let mut chats = Vec::with_capacity(count);
        for _ in 0..count {
            chats.push(self.chat().await?);
        }
        Ok(chats)
    }

    /// The address of the page with a chat open beside the plan.
    pub fn chat_page(&self, chat_id: Uuid) -> String {
        format!("/p/{}/plans/{}?chat={chat_id}", self.project.slug, self.plan.slug)
    }
}
