//! Signing in, tokens and whose actor one is, against a real database.

use sqlx::postgres::PgPool;
use time::Duration;
use wire::access::{Role, Scope};
use wire::chat::{NewChat, SendMessage};
use wire::person::{FirstOwner, NewToken, SignIn};

use super::{
    AddUser, actor_of_person, actor_of_token, actor_of_turn, add_user, first_owner, is_empty, issue_token, me, sign_in,
};
use crate::error::{Error, Result};
use crate::testing::{Acme, TestClock, account, config, rows, sql};
use crate::{Engine, store, token};

const PASSWORD: &str = "correct horse";

fn with(email: &str, password: &str) -> SignIn {
    SignIn { email: email.to_owned(), password: password.to_owned() }
}

async fn failed(engine: &Engine, email: &str, password: &str, address: &str) -> Error {
    sign_in(engine, with(email, password), Some(address)).await.expect_err("signed in")
}

#[sqlx::test(migrations = "./migrations")]
async fn the_first_visit_makes_the_owner_and_only_the_first(pool: PgPool) {
    let engine = Engine::on_pool(pool, config(), std::sync::Arc::new(TestClock::default()));
    assert!(is_empty(&engine).await.unwrap());
    let new = |organisation: &str, email: &str, password: &str| FirstOwner {
        organisation: organisation.to_owned(),
        name: "Olivia".to_owned(),
        email: email.to_owned(),
        password: password.to_owned(),
    };
    for wrong in [new("", "o@acme.test", PASSWORD), new("Acme", "o", PASSWORD), new("Acme", "o@acme.test", "short")] {
        assert!(matches!(first_owner(&engine, wrong, None).await, Err(Error::Invalid { .. })));
    }
    let tries = [new("Acme", "a@acme.test", PASSWORD), new("Other", "b@other.test", PASSWORD)];
    let done = futures::future::join_all(tries.map(|new| first_owner(&engine, new, Some("192.0.2.1")))).await;
    let ids: Vec<_> = done.iter().filter_map(|done| done.as_ref().ok()).collect();
    assert_eq!(ids.len(), 1, "{done:?}");
    assert!(done.iter().any(|done| matches!(done, Err(Error::Conflict { code: "not_empty", .. }))));
    assert!(!is_empty(&engine).await.unwrap());
    let owner = actor_of_person(&engine, *ids[0], None).await.unwrap().unwrap();
    assert_eq!((owner.role, owner.scopes.len()), (Role::Owner, Scope::ALL.len()));
    assert_eq!(rows(&engine, "select from agents where built_in").await, 2);
    assert_eq!(rows(&engine, "select from organisations").await, 1);
    engine.shutdown().await;
}

#[sqlx::test(migrations = "./migrations")]
async fn an_account_is_found_however_its_e_mail_is_written(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let id = account(&acme.engine, "Mia@Acme.test", PASSWORD, Role::Member).await;
    for email in ["mia@acme.test", " MIA@ACME.TEST\n", "Mia@Acme.test"] {
        assert_eq!(sign_in(&acme.engine, with(email, PASSWORD), None).await.unwrap(), id, "{email}");
    }
    for email in ["mıa@acme.test", "mİa@acme.test", "mia@acme.test\0", "", "mia"] {
        assert!(matches!(failed(&acme.engine, email, PASSWORD, "").await, Error::Unauthorised(_)), "{email}");
    }
    let again = AddUser {
        organisation: "acme".into(),
        email: "MIA@acme.test".into(),
        password: PASSWORD.into(),
        role: Role::Viewer,
        name: None,
    };
    assert!(matches!(add_user(&acme.engine, again).await, Err(Error::Conflict { code: "email_taken", .. })));
    let me = me(&acme.engine, &actor_of_person(&acme.engine, id, None).await.unwrap().unwrap()).await.unwrap();
    assert_eq!(
        (me.person.email.as_str(), me.person.name.as_str(), me.organisation.name.as_str()),
        ("mia@acme.test", "mia", "Acme")
    );
}

#[sqlx::test(migrations = "./migrations")]
async fn every_cause_has_one_answer_and_is_audited(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let id = account(&acme.engine, "mia@acme.test", PASSWORD, Role::Member).await;
    let wrong = failed(&acme.engine, "mia@acme.test", "wrong", "192.0.2.1").await;
    let unknown = failed(&acme.engine, "nobody@acme.test", PASSWORD, "192.0.2.1").await;
    sql(&acme.engine, &format!("update people set removed_at = now() where id = '{id}'")).await.unwrap();
    let removed = failed(&acme.engine, "mia@acme.test", PASSWORD, "192.0.2.1").await;
    assert_eq!(actor_of_person(&acme.engine, id, None).await.unwrap(), None);
    for error in [&unknown, &removed] {
        assert_eq!(error.problem(), wrong.problem());
    }
    assert_eq!(wrong.status(), 401);
    for text in [
        format!("select from audit where action = 'session.failed' and subject_kind = 'person' and subject_id = '{id}' and person_id = '{id}' and address = '192.0.2.1'"),
        "select from audit where action = 'session.failed' and person_id is null and detail ->> 'email' = 'nobody@acme.test'".to_owned(),
    ] {
        assert_eq!(rows(&acme.engine, &text).await, 1, "{text}");
    }
    // a password in the wrong field is not kept
    failed(&acme.engine, "my secret password", "", "192.0.2.1").await;
    assert_eq!(rows(&acme.engine, "select from audit where detail::text like '%secret%'").await, 0);
}

#[sqlx::test(migrations = "./migrations")]
async fn ten_failures_are_too_many_for_an_account(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let id = account(&acme.engine, "mia@acme.test", PASSWORD, Role::Member).await;
    let other = account(&acme.engine, "tom@acme.test", PASSWORD, Role::Member).await;
    for n in 0..10 {
        let error = failed(&acme.engine, "Mia@acme.test", "wrong", &format!("192.0.2.{n}")).await;
        assert!(matches!(error, Error::Unauthorised(_)), "attempt {n}: {error:?}");
        acme.clock.advance(Duration::minutes(1));
    }
    // the right password too, from wherever; as long as the first of the ten counts
    let refused = failed(&acme.engine, "mia@acme.test", PASSWORD, "198.51.100.1").await;
    assert!(matches!(refused, Error::TooMany { retry_after: 300 }), "{refused:?}");
    // nobody else is held up, and their success changes nothing for Mia
    assert_eq!(sign_in(&acme.engine, with("tom@acme.test", PASSWORD), Some("192.0.2.1")).await.unwrap(), other);
    assert!(matches!(failed(&acme.engine, "mia@acme.test", PASSWORD, "").await, Error::TooMany { .. }));
    acme.clock.advance(Duration::seconds(301));
    assert_eq!(sign_in(&acme.engine, with("mia@acme.test", PASSWORD), Some("192.0.2.9")).await.unwrap(), id);
    assert_eq!(rows(&acme.engine, "select from audit where action = 'session.created'").await, 2);
}

#[sqlx::test(migrations = "./migrations")]
async fn fifty_failures_are_too_many_from_an_address(pool: PgPool) {
    let acme = Acme::on(pool).await;
    account(&acme.engine, "mia@acme.test", PASSWORD, Role::Member).await;
    let now = acme.engine.now();
    {
        let mut connection = acme.engine.pool().acquire().await.unwrap();
        for n in 0..49 {
            let email = format!("person{n}@acme.test");
            let since = now - Duration::minutes(15);
            store::person::insert_failure(&mut connection, &email, "192.0.2.1", now, since).await.unwrap();
        }
    }
    assert!(matches!(failed(&acme.engine, "last@acme.test", "wrong", "192.0.2.1").await, Error::Unauthorised(_)));
    let refused = failed(&acme.engine, "mia@acme.test", PASSWORD, "192.0.2.1").await;
    assert!(matches!(refused, Error::TooMany { retry_after: 900 }), "{refused:?}");
    assert!(sign_in(&acme.engine, with("mia@acme.test", PASSWORD), Some("192.0.2.2")).await.is_ok());
    // old failures are forgotten
    acme.clock.advance(Duration::minutes(16));
    failed(&acme.engine, "mia@acme.test", "wrong", "192.0.2.1").await;
    assert_eq!(rows(&acme.engine, "select from sign_in_failures").await, 1);
}

#[sqlx::test(migrations = "./migrations")]
async fn guesses_made_at_once_are_counted(pool: PgPool) {
    let acme = Acme::on(pool).await;
    account(&acme.engine, "mia@acme.test", PASSWORD, Role::Member).await;
    let tries = (0..30).map(|_| sign_in(&acme.engine, with("mia@acme.test", "wrong"), Some("192.0.2.1")));
    let done = futures::future::join_all(tries).await;
    let checked = done.iter().filter(|done| matches!(done, Err(Error::Unauthorised(_)))).count();
    // one may be on its way while the tenth is counted
    assert!((10..=11).contains(&checked), "{checked} were checked");
    assert_eq!(done.iter().filter(|done| matches!(done, Err(Error::TooMany { .. }))).count(), 30 - checked);
}

fn token_of(scopes: Option<Vec<Scope>>) -> NewToken {
    NewToken { name: "Script".to_owned(), scopes, expires_at: None }
}

#[sqlx::test(migrations = "./migrations")]
async fn a_token_holds_no_more_than_it_was_given_and_than_its_person_has(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let some = vec![Scope::RecordsRead, Scope::PlansManage, Scope::RecordsRead];
    let made = token::create(&acme.engine, &acme.member, token_of(Some(some))).await.unwrap();
    assert!(made.token.starts_with("cfb_") && made.token.len() == 47, "{}", made.token);
    assert_eq!(rows(&acme.engine, &format!("select from tokens where secret_hash = '{}'", made.token)).await, 0);
    let actor = |secret: String| {
        let engine = acme.engine.clone();
        async move { actor_of_token(&engine, &secret, Some("192.0.2.5")).await.unwrap() }
    };
    let limited = actor(made.token.clone()).await.unwrap();
    assert_eq!(
        (limited.person_id, limited.scopes.as_slice()),
        (acme.member.person_id, [Scope::RecordsRead, Scope::PlansManage].as_slice())
    );
    assert_eq!(limited.address.as_deref(), Some("192.0.2.5"));
    // no wider by a detour
    let wider = token::create(&acme.engine, &limited, token_of(Some(vec![Scope::ChatUse]))).await;
    assert!(matches!(wider, Err(Error::Forbidden(Scope::ChatUse))));
    let same = token::create(&acme.engine, &limited, token_of(None)).await.unwrap();
    assert_eq!(actor(same.token).await.unwrap().scopes, limited.scopes);
    let beyond = token::create(&acme.engine, &acme.member, token_of(Some(vec![Scope::MembersManage]))).await;
    assert!(matches!(beyond, Err(Error::Forbidden(Scope::MembersManage))));
    assert!(matches!(
        token::create(&acme.engine, &acme.member, token_of(Some(vec![]))).await,
        Err(Error::Invalid { .. })
    ));
    // what the person loses the token loses
    sql(&acme.engine, &format!("update people set role = 'viewer' where id = '{}'", acme.member.person_id))
        .await
        .unwrap();
    assert_eq!(actor(made.token.clone()).await.unwrap().scopes, [Scope::RecordsRead]);
    sql(&acme.engine, &format!("update people set removed_at = now() where id = '{}'", acme.member.person_id))
        .await
        .unwrap();
    assert_eq!(actor(made.token).await, None);
    for nonsense in ["", "cfb_", "cfb_\0", "x"] {
        assert_eq!(actor(nonsense.to_owned()).await, None);
    }
}

#[sqlx::test(migrations = "./migrations")]
async fn tokens_end_by_time_and_by_hand(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let hour = acme.engine.now() + Duration::HOUR;
    let new = NewToken { expires_at: Some(hour), ..token_of(None) };
    let short = token::create(&acme.engine, &acme.member, new).await.unwrap();
    let long = token::create(&acme.engine, &acme.member, token_of(None)).await.unwrap();
    let past = NewToken { expires_at: Some(acme.engine.now()), ..token_of(None) };
    assert!(matches!(
        token::create(&acme.engine, &acme.member, past).await,
        Err(Error::Invalid { code: "expires_at", .. })
    ));
    let alive = |secret: &str| {
        let (engine, secret) = (acme.engine.clone(), secret.to_owned());
        async move { actor_of_token(&engine, &secret, None).await.unwrap().is_some() }
    };
    assert!(alive(&short.token).await && alive(&long.token).await);
    acme.clock.advance(Duration::HOUR);
    assert!(!alive(&short.token).await && alive(&long.token).await);
    // only one's own
    for actor in [&acme.owner, &acme.viewer] {
        assert!(matches!(token::revoke(&acme.engine, actor, long.id).await, Err(Error::NotFound(_))));
        assert_eq!(token::list(&acme.engine, actor).await.unwrap(), []);
    }
    assert_eq!(token::list(&acme.engine, &acme.member).await.unwrap().len(), 2);
    token::revoke(&acme.engine, &acme.member, long.id).await.unwrap();
    assert!(!alive(&long.token).await);
    assert!(matches!(token::revoke(&acme.engine, &acme.member, long.id).await, Err(Error::NotFound(_))));
    assert_eq!(token::list(&acme.engine, &acme.member).await.unwrap().len(), 1);
    for action in ["token.created", "token.revoked"] {
        assert!(
            rows(&acme.engine, &format!("select from audit where action = '{action}' and subject_id = '{}'", long.id))
                .await
                == 1
        );
    }
}

#[sqlx::test(migrations = "./migrations")]
async fn the_last_use_is_kept_to_the_minute(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let made = token::create(&acme.engine, &acme.member, token_of(None)).await.unwrap();
    let start = acme.engine.now();
    let used = || async {
        actor_of_token(&acme.engine, &made.token, None).await.unwrap().unwrap();
        token::list(&acme.engine, &acme.member).await.unwrap()[0].last_used_at.unwrap()
    };
    assert_eq!(token::list(&acme.engine, &acme.member).await.unwrap()[0].last_used_at, None);
    assert_eq!(used().await, start);
    acme.clock.advance(Duration::seconds(59));
    assert_eq!(used().await, start);
    acme.clock.advance(Duration::seconds(1));
    assert_eq!(used().await, start + Duration::MINUTE);
}

#[sqlx::test(migrations = "./migrations")]
async fn the_command_line_issues_tokens(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let id = account(&acme.engine, "mia@acme.test", PASSWORD, Role::Member).await;
    let secret = issue_token(&acme.engine, "Mia@acme.test", Some(vec![Scope::RecordsRead])).await.unwrap();
    let actor = actor_of_token(&acme.engine, &secret, None).await.unwrap().unwrap();
    assert_eq!((actor.person_id, actor.scopes), (id, vec![Scope::RecordsRead]));
    assert!(matches!(issue_token(&acme.engine, "nobody@acme.test", None).await, Err(Error::NotFound(_))));
}

#[sqlx::test(migrations = "./migrations")]
async fn a_turn_acts_with_what_its_person_holds_now(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let some = vec![Scope::RecordsRead, Scope::ChatUse, Scope::PlansManage];
    let secret = token::create(&acme.engine, &acme.member, token_of(Some(some.clone()))).await.unwrap().token;
    let limited = actor_of_token(&acme.engine, &secret, Some("192.0.2.5")).await.unwrap().unwrap();
    let chat = crate::chat::create(&acme.engine, &limited, acme.project.id, NewChat::default()).await.unwrap();
    let send = SendMessage { client_id: "one".into(), text: "Hello".into(), ..SendMessage::default() };
    let turn = crate::chat::send(&acme.engine, &limited, chat.id, send).await.unwrap().turn.unwrap();
    let scopes = || async {
        let actor: Result<_> = actor_of_turn(&acme.engine, turn.id).await;
        actor.unwrap().map(|actor| (actor.scopes, actor.address))
    };
    let (held, address) = scopes().await.unwrap();
    assert_eq!((held.len(), address.as_deref()), (3, Some("192.0.2.5")));
    let member = acme.member.person_id;
    sql(&acme.engine, &format!("update people set role = 'viewer' where id = '{member}'")).await.unwrap();
    assert_eq!(scopes().await.unwrap().0, [Scope::RecordsRead]);
    // more than the turn was sent with it never gets
    sql(&acme.engine, &format!("update people set role = 'owner' where id = '{member}'")).await.unwrap();
    assert_eq!(scopes().await.unwrap().0.len(), 3);
    sql(&acme.engine, &format!("update people set removed_at = now() where id = '{member}'")).await.unwrap();
    assert!(scopes().await.is_none());
    assert_eq!(actor_of_turn(&acme.engine, acme.engine.id()).await.unwrap(), None);
}

#[sqlx::test(migrations = "./migrations")]
async fn the_last_owner_stays(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let owner = acme.owner.person_id;
    for text in [
        format!("update people set role = 'admin' where id = '{owner}'"),
        format!("update people set removed_at = now() where id = '{owner}'"),
        format!("delete from people where id = '{owner}'"),
    ] {
        let refusal = sql(&acme.engine, &text).await.unwrap_err();
        assert!(refusal.to_string().contains("at least one owner"), "{text}: {refusal}");
    }
    // of two owners who go at once one stays
    let second = crate::testing::person(&acme.engine, "Acme", Role::Owner).await.person_id;
    let gone = [owner, second].map(|id| {
        let engine = acme.engine.clone();
        async move { sql(&engine, &format!("update people set role = 'admin' where id = '{id}'")).await }
    });
    let done = futures::future::join_all(gone).await;
    assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 1, "{done:?}");
    assert_eq!(rows(&acme.engine, "select from people where role = 'owner' and removed_at is null").await, 1);
}

#[sqlx::test(migrations = "./migrations")]
async fn sessions_are_kept_until_they_expire(pool: PgPool) {
    let acme = Acme::on(pool).await;
    let (pool, now) = (acme.engine.pool(), acme.engine.now());
    let member = Some(acme.member.person_id);
    store::session::save(pool, "a", None, "{}", now + Duration::HOUR).await.unwrap();
    store::session::save(pool, "a", member, "{1}", now + Duration::HOUR).await.unwrap();
    store::session::save(pool, "b", member, "{2}", now + Duration::MINUTE).await.unwrap();
    let load = |id: &'static str, at| store::session::load(pool, id, at);
    assert_eq!(load("a", now).await.unwrap().as_deref(), Some("{1}"));
    assert_eq!(load("b", now + Duration::MINUTE).await.unwrap(), None);
    assert_eq!(store::session::delete_expired(pool, now + Duration::MINUTE).await.unwrap(), 1);
    store::session::delete(pool, "a").await.unwrap();
    assert_eq!(load("a", now).await.unwrap(), None);
    assert_eq!(load("nobody", now).await.unwrap(), None);
}
