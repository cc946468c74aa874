use sqlx::postgres::PgPool;
use wire::access::Role;
use wire::person::SignIn;
use wire::record::RecordKind;

use super::seed;
use crate::person::{actor_of_person, sign_in};
use crate::testing::{TestClock, config, rows};
use crate::{Engine, project, record};

#[sqlx::test(migrations = "./migrations")]
async fn the_sample_is_there_once(pool: PgPool) {
    let engine = Engine::on_pool(pool, config(), std::sync::Arc::new(TestClock::default()));
    // two nodes start together
    let (one, other) = tokio::join!(seed(&engine), seed(&engine));
    one.unwrap();
    other.unwrap();
    let counts = || async {
        let mut counts = Vec::new();
        for table in ["organisations", "people", "agents", "projects", "records", "versions", "audit"] {
            counts.push(rows(&engine, &format!("select from {table}")).await);
        }
        counts
    };
    let first = counts().await;
    assert_eq!(first[..6], [1, 5, 2, 1, 6, 6]);
    seed(&engine).await.unwrap();
    assert_eq!(counts().await, first);

    for (name, role) in [("owner", Role::Owner), ("viewer", Role::Viewer)] {
        let with = SignIn { email: format!("{name}@demo.test"), password: "confab-demo".into() };
        let person = sign_in(&engine, with, None).await.unwrap();
        assert_eq!(actor_of_person(&engine, person, None).await.unwrap().unwrap().role, role);
    }
    let with = SignIn { email: "member@demo.test".into(), password: "confab-demo".into() };
    let member = actor_of_person(&engine, sign_in(&engine, with, None).await.unwrap(), None).await.unwrap().unwrap();
    let plan = record::page(&engine, &member, "reporting", RecordKind::Plan, "csv-download-button").await.unwrap();
    assert_eq!(
        (plan.record.version, plan.bugs.len(), plan.ancestors[0].title.as_str()),
        (1, 1, "CSV export on the reporting page")
    );
    assert_eq!(plan.record.body.matches("Downlaod").count(), 1);
    let (_, criteria) = plan.record.body.split_once("## Acceptance criteria\n").unwrap();
    let third = criteria.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).nth(2).unwrap();
    assert_eq!(third, "3. A click starts the Downlaod within one second for up to 10,000 rows.");
    let initiative =
        record::page(&engine, &member, "reporting", RecordKind::Initiative, "csv-export-on-the-reporting-page")
            .await
            .unwrap();
    let (_, questions) = initiative.record.body.split_once("## Open questions\n").unwrap();
    assert_eq!(questions.lines().filter(|line| line.starts_with("- ")).count(), 3);
    let (_, fixtures) = initiative.record.body.split_once("## Customer fixtures\n").unwrap();
    assert_eq!(fixtures.lines().filter(|line| line.contains(". **")).count(), 5);
    assert_eq!(project::overview(&engine, &member, "reporting").await.unwrap().board.len(), 2);
    engine.shutdown().await;
}
