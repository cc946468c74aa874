//! A connection that stays open and says nothing.

use crate::harness::{BOTH, Harness, Outcome, request, user};
use engine::provider::{Delta, Provider, ProviderError};
use futures::StreamExt;
use scripted::{Action, Ending, Step};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(90);

/// A call is silent in one of three ways, and each time the limit passes.
#[tokio::test]
async fn silence_is_a_failure_that_is_tried_again() {
    for dialect in BOTH {
        for silent in [
            Step::new().then(Action::Hang),
            Step::new().then(Action::Silence),
            Step::new().text("a").text("b").text("c").hold("texts are out").then(Action::Silence),
        ] {
            let harness = Harness::new(dialect, [silent.clone(), Step::say("ok")]).await;
            let outcome = ring_until(&harness, |outcome| outcome.restarts() == 1).await;
            assert_eq!(outcome.text(), "ok", "{dialect:?} {silent:?}");
            assert_eq!(outcome.shown_text(), "ok");
            assert!(outcome.deltas.iter().any(
                |delta| matches!(delta, Delta::Waiting { reason, .. } if reason.contains("silent for 90 seconds"))
            ));
            assert_eq!(harness.requests()[0].ending, Ending::Dropped);
        }
    }
}

#[tokio::test]
async fn pings_are_not_life() {
    for dialect in BOTH {
        let step = Step::say("a").then(Action::Pings { gate: "ping".into() });
        let harness = Harness::new(dialect, [step, Step::say("ok")]).await;
        let mut stream = harness.provider.stream(request(vec![user("hi")]), harness.stop.clone());
        while stream.next().await != Some(Ok(Delta::Text("a".into()))) {}
        let (mut next, mut rang) = (stream.next(), false);
        // a ping every 5 seconds, each read before time goes on
        for _ in 0..40 {
            harness.server.release(crate::harness::KEY, "ping");
            tokio::select! {
                biased;
                delta = &mut next => { rang = matches!(delta, Some(Ok(Delta::Waiting { .. } ))); break }
                () = harness.server.arrived(crate::harness::KEY, "ping") => {}
            }
            harness.pace.advance(Duration::from_secs(5));
        }
        assert!(rang, "{dialect:?}: the pings kept the call alive");
    }
}

/// One delta every 20 seconds for 5 minutes.
#[tokio::test]
async fn a_slow_steady_answer_is_not_cut() {
    for dialect in BOTH {
        let step = (0..15).fold(Step::new(), |step, number| step.hold("next").text(&format!("{number} ")));
        let harness = Harness::new(dialect, [step]).await;
        let mut stream = harness.provider.stream(request(vec![user("hi")]), harness.stop.clone());
        let mut texts = 0;
        let mut done = false;
        harness.server.release(crate::harness::KEY, "next");
        while let Some(delta) = stream.next().await {
            match delta.expect("no failure") {
                Delta::Text(_) => {
                    texts += 1;
                    // the alarm is set anew before more can be read
                    harness.pace.advance(Duration::from_secs(20));
                    harness.server.release(crate::harness::KEY, "next");
                }
                Delta::Done(_) => done = true,
                Delta::Usage(_) => {}
                other => panic!("{dialect:?}: {other:?}"),
            }
        }
        assert_eq!((texts, done), (15, true));
    }
}

#[tokio::test]
async fn silence_that_stays_is_told_after_four_attempts() {
    for dialect in BOTH {
        let harness = Harness::new(dialect, [Step::say("a").then(Action::Silence).always()]).await;
        let outcome = ring_until(&harness, |_| false).await;
        assert_eq!(outcome.error(), &ProviderError::Silent { seconds: 90 });
        assert!(outcome.error().retryable());
        assert_eq!(harness.requests().len(), 4);
    }
}

#[tokio::test]
async fn stop_acts_at_once_in_a_silence() {
    for dialect in BOTH {
        let harness = Harness::new(dialect, [Step::say("a").then(Action::Silence), Step::say("next")]).await;
        let mut stream = harness.provider.stream(request(vec![user("hi")]), harness.stop.clone());
        while stream.next().await != Some(Ok(Delta::Text("a".into()))) {}
        harness.stop.cancel();
        assert_eq!(stream.next().await, Some(Err(ProviderError::Stopped)));
        harness.ended(0, Ending::Dropped).await;
    }
}

/// Reads a call; whenever it stands still, the limit passes, until `enough`.
async fn ring_until(harness: &Harness, enough: impl Fn(&Outcome) -> bool) -> Outcome {
    let mut outcome = Outcome { deltas: vec![], end: Err(ProviderError::Stopped) };
    let mut stream = harness.provider.stream(request(vec![user("hi")]), harness.stop.clone());
    let mut attempts = 0;
    loop {
        let still = async {
            if enough(&outcome) {
                std::future::pending::<()>().await;
            }
            harness.requested(attempts + 1).await;
        };
        tokio::select! {
            biased;
            item = stream.next() => match item {
                Some(Ok(Delta::Done(completion))) => outcome.end = Ok(completion),
                Some(Ok(delta)) => outcome.deltas.push(delta),
                Some(Err(error)) => outcome.end = Err(error),
                None => return outcome,
            },
            () = still => {
                attempts += 1;
                harness.pace.advance(LIMIT);
            }
        }
    }
}
