//! No notice is missed, in whatever order transactions commit.

use std::time::Duration;

use sqlx::postgres::PgPool;
use uuid::Uuid;

use super::{NoticeFrame, Notices, notices};
use crate::store::Tx;
use crate::store::notice::NewNotice;
use crate::testing::Acme;

async fn say(acme: &Acme, id: u128) -> Tx {
    let mut tx = acme.engine.begin().await.unwrap();
    let notice = NewNotice {
        organisation_id: acme.member.organisation_id,
        owner_id: None,
        topic: "test",
        subject_id: Uuid::from_u128(id),
        kind: "said",
        project_id: None,
        record_id: None,
        chat_id: None,
    };
    tx.notice(&notice).await.unwrap();
    tx
}

/// The next notices of a stream, with the cursor behind them.
async fn hear(stream: &mut Notices, count: usize) -> (Vec<u128>, String) {
    let mut heard = Vec::new();
    let mut last = String::new();
    // far beyond the poll that finds what no wake-up tells
    let all = tokio::time::timeout(Duration::from_secs(25), async {
        while heard.len() < count {
            match stream.next().await.unwrap() {
                // what was said while the stage was set may come late: others' transactions hold it back
                NoticeFrame::Notice { notice, .. } if notice.topic != "test" => {}
                NoticeFrame::Notice { cursor, notice } => {
                    heard.push(notice.id.as_u128());
                    last = cursor;
                }
                NoticeFrame::Heartbeat => {}
                NoticeFrame::Reset { cursor } => panic!("reset to {cursor}"),
            }
        }
    });
    assert!(all.await.is_ok(), "only {heard:?} of {count} were heard");
    (heard, last)
}

#[sqlx::test(migrations = "./migrations")]
async fn a_slow_transaction_is_waited_for_and_a_lost_one_is_not(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let mut stream = notices(&acme.engine, &acme.viewer, None).await.unwrap();
    let (_, start) = {
        say(&acme, 1).await.commit().await.unwrap();
        hear(&mut stream, 1).await
    };
    // the slow one takes its number first and commits last; another is rolled back
    let slow = say(&acme, 2).await;
    say(&acme, 3).await.commit().await.unwrap();
    let lost = say(&acme, 4).await;
    say(&acme, 5).await.commit().await.unwrap();
    // whoever asks now must not get a cursor behind the slow one
    {
        let mut connection = acme.engine.pool().acquire().await.unwrap();
        let cursor = crate::store::notice::Cursor::parse(&start).unwrap();
        let seen = crate::store::notice::after(&mut connection, acme.member.organisation_id, cursor, 10).await.unwrap();
        assert_eq!(seen, []);
    }
    drop(lost);
    slow.commit().await.unwrap();
    let (mut heard, _) = hear(&mut stream, 3).await;
    heard.sort_unstable();
    assert_eq!(heard, [2, 3, 5]);
    // and so it is for whoever comes back with the cursor of before
    let mut again = notices(&acme.engine, &acme.viewer, Some(&start)).await.unwrap();
    let (mut heard, last) = hear(&mut again, 3).await;
    heard.sort_unstable();
    assert_eq!(heard, [2, 3, 5]);
    say(&acme, 6).await.commit().await.unwrap();
    let mut again = notices(&acme.engine, &acme.viewer, Some(&last)).await.unwrap();
    assert_eq!(hear(&mut again, 1).await.0, [6]);
}

#[sqlx::test(migrations = "./migrations")]
async fn many_writers_at_once_miss_nothing_and_repeat_nothing(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let mut stream = notices(&acme.engine, &acme.viewer, None).await.unwrap();
    let writing = futures::future::join_all((0..60).map(|n| {
        let acme = &acme;
        async move {
            let tx = say(acme, n).await;
            // a third of them give up
            if n % 3 == 0 { drop(tx) } else { tx.commit().await.unwrap() }
        }
    }));
    let (_, (mut heard, _)) = tokio::join!(writing, hear(&mut stream, 40));
    heard.sort_unstable();
    assert_eq!(heard, (0..60).filter(|n| n % 3 != 0).collect::<Vec<u128>>());
}

#[sqlx::test(migrations = "./migrations")]
async fn a_private_notice_reaches_its_owner_and_who_may_read_any(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let stranger = acme.stranger().await;
    let open = |actor| notices(&acme.engine, actor, None);
    let (mut owner, mut lead) = (open(&acme.member).await.unwrap(), open(&acme.lead).await.unwrap());
    let (mut viewer, mut other) = (open(&acme.viewer).await.unwrap(), open(&stranger).await.unwrap());
    let say = |id: u128, organisation_id: Uuid, owner_id: Option<Uuid>| {
        let engine = acme.engine.clone();
        async move {
            let mut tx = engine.begin().await.unwrap();
            let notice = NewNotice {
                organisation_id,
                owner_id,
                topic: "test",
                subject_id: Uuid::from_u128(id),
                kind: "said",
                project_id: None,
                record_id: None,
                chat_id: None,
            };
            tx.notice(&notice).await.unwrap();
            tx.commit().await.unwrap();
        }
    };
    say(1, acme.member.organisation_id, Some(acme.member.person_id)).await;
    say(2, acme.member.organisation_id, None).await;
    say(3, stranger.organisation_id, None).await;
    assert_eq!(hear(&mut owner, 2).await.0, [1, 2]);
    assert_eq!(hear(&mut lead, 2).await.0, [1, 2]);
    assert_eq!(hear(&mut viewer, 1).await.0, [2]);
    assert_eq!(hear(&mut other, 1).await.0, [3]);
}

#[sqlx::test(migrations = "./migrations")]
async fn a_cursor_that_is_not_ours_is_answered_by_a_reset(pool: PgPool) {
    let acme = Acme::on(pool).await;
    for cursor in ["nonsense", "", "1", "99999999999-1", "1-1"] {
        let mut stream = notices(&acme.engine, &acme.viewer, Some(cursor)).await.unwrap();
        let NoticeFrame::Reset { cursor: go_on } = stream.next().await.unwrap() else { panic!("{cursor}: no reset") };
        assert!(crate::store::notice::Cursor::parse(&go_on).is_some());
    }
}
