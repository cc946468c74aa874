//! **G24** A turn in a project of 1,000 records changes one of them with the tool `Edit`. Measured from the moment the provider writes the last
//! token of the answer (the token carries it) to the moment the client has read the `CUSTOM` `reconcile` event, which is shown after the
//! commit: the folder is read back, the change compared, merged, saved as a version, audited, committed and published. The median. Against
//! `find -newer` over a folder with 1,000 files of the same text, one of them just written, and one commit of one row.

use std::path::{Path, PathBuf};
use std::time::Instant;

use futures::FutureExt;
use futures::future::BoxFuture;
use scripted::{Action, Call, Step};
use serde_json::json;
use sqlx::postgres::PgPool;
use tokio::sync::OnceCell;
use wire::record::{Project, Record};

use super::{Figure, Goal, Reading, Row};
use crate::client::chat::Chat;
use crate::client::delta::{Meaning, of_confab};
use crate::client::tokens::Tokens;
use crate::measure::clock;
use crate::measure::statistics::median;
use crate::result::Result;
use crate::stage::{Stage, program, provider};

pub const FIGURE: Figure = Figure {
    rows: &[Row {
        id: "G24",
        what: "reconcile with 1 changed of 1,000 files",
        unit: "ms",
        goal: Goal::RatioAtMost(3.0),
        baseline: Some("`find -newer` and one commit"),
    }],
    measure: |stage| measure(stage).boxed(),
};

const RECORDS: usize = 1_000;
const BODY: &str = "# Steps\n\n- the endpoint answers with one line for each row\n- the button asks for it\n- five fixtures are compared\n";

struct Scene {
    project: Project,
    initiative: Record,
    plan: Record,
    folder: PathBuf,
    pool: PgPool,
}

static SCENE: OnceCell<Scene> = OnceCell::const_new();

fn measure(stage: &Stage) -> BoxFuture<'_, Result<Vec<Reading>>> {
    async {
        let scene = SCENE.get_or_try_init(|| make(stage)).await?;
        let (forth, back) = ("Please change five to 5.", "Please change 5 to five.");
        let edit = |ask: &str, old: &str, new: &str| {
            let path = format!("plans/{}.md", scene.plan.slug);
            let input = json!({"path": path, "old": format!("{old} fixtures"), "new": format!("{new} fixtures")});
            Step::new().when_user(ask).tools([Call::new(&format!("call_{new}"), "Edit", input)]).always()
        };
        let said = Step::new().when_result("").then(Action::Tokens { count: 1, microseconds: 0 }).always();
        provider::script(stage.provider(), [said, edit(forth, "five", "5"), edit(back, "5", "five")]).await?;

        let mut chat = Chat::make(&stage.api, scene.project.id, Some(scene.initiative.id)).await?;
        let (mut confab, mut find) = (Vec::new(), Vec::new());
        for place in 0..stage.count(10, 4) {
            for ask in [forth, back] {
                let took = reconciled(&mut chat, ask).await?;
                let beside = found(scene).await?;
                // the first pair is not counted
                if place > 0 {
                    confab.push(took);
                    find.push(beside);
                }
            }
        }
        let (confab, find) = median(&confab).zip(median(&find)).ok_or("nothing was measured")?;
        Ok(vec![Reading::beside(confab, find)])
    }
    .boxed()
}

/// Milliseconds from the answer's last token to the news that its change is saved.
async fn reconciled(chat: &mut Chat, ask: &str) -> Result<f64> {
    let mut tokens = Tokens::ask();
    chat.send(ask).await?;
    let mut saved = None;
    loop {
        let (event, now) = chat.next().await?;
        if event.data.starts_with(r#"{"type":"CUSTOM","name":"reconcile""#) {
            let event: serde_json::Value = serde_json::from_str(&event.data)?;
            let records = event["value"]["changes"]["records"].as_array().map_or(0, Vec::len);
            if records != 1 {
                return Err(format!("{records} records were changed: {event}").into());
            }
            saved = Some(now);
        }
        match of_confab(&event.data) {
            Meaning::Text(text) => tokens.hear(&text, now),
            Meaning::Finished => break,
            Meaning::Failed => return Err(format!("the turn failed: {}", event.data).into()),
            Meaning::Other => {}
        }
    }
    let saved = saved.ok_or("nothing was reconciled")?;
    Ok(clock::milliseconds(saved.saturating_sub(tokens.last_written())))
}

/// Milliseconds of `find -newer` and one commit.
async fn found(scene: &Scene) -> Result<f64> {
    let folder = &scene.folder;
    let marker = folder.join("marker");
    std::fs::write(&marker, "")?;
    // later than the marker by more than the file system's tick
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    std::fs::write(folder.join("plans/7.md"), BODY.replace("five", "5"))?;
    let (plans, marker) = (folder.join("plans").display().to_string(), marker.display().to_string());
    let start = Instant::now();
    let said = program::run(Path::new("find"), &[&plans, "-type", "f", "-newer", &marker]).await?;
    commit(&scene.pool).await?;
    let took = start.elapsed();
    if said.lines().count() != 1 {
        return Err(format!("find gave {said}").into());
    }
    Ok(took.as_secs_f64() * 1_000.0)
}

#[expect(clippy::disallowed_methods, reason = "a table of the benchmark's own, which no migration makes")]
async fn commit(pool: &PgPool) -> Result<()> {
    sqlx::query("insert into bench_commits (at) values (now())").execute(pool).await?;
    Ok(())
}

/// A project of 1,000 records, and a folder with as many files.
async fn make(stage: &Stage) -> Result<Scene> {
    let project: Project = stage.api.post("/api/v1/projects", &json!({"name": "A thousand records"})).await?;
    let records = format!("/api/v1/projects/{}/records", project.id);
    let initiative = json!({"kind": "initiative", "title": "All of them", "body": BODY});
    let initiative: Record = stage.api.post(&records, &initiative).await?;
    let mut plan = None;
    for number in 1..RECORDS {
        let body = json!({"kind": "plan", "title": format!("Plan {number}"), "body": BODY, "parent_id": initiative.id});
        plan = Some(stage.api.post::<Record>(&records, &body).await?);
    }
    let folder = stage.folder.path().join("thousand");
    std::fs::create_dir_all(folder.join("plans"))?;
    for number in 0..RECORDS {
        std::fs::write(folder.join(format!("plans/{number}.md")), BODY)?;
    }
    let plan = plan.ok_or("no plan was made")?;
    stage
        .database
        .run("create table bench_commits (id bigint generated always as identity primary key, at timestamptz)", &[])
        .await?;
    let pool = PgPool::connect(&stage.database.url()).await?;
    Ok(Scene { project, initiative, plan, folder, pool })
}
