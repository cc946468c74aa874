//! Line endings and cuts.

use crate::harness::{BOTH, Harness};
use scripted::{Action, Call, Framing, Step, Wire};
use serde_json::json;

const TEXT: &str = "计划 👩‍💻 naïve";

fn step() -> Step {
    let calls = vec![Call::new("a", "Read", json!({"path": "計画.md"}))];
    Step::new().chunked(TEXT, 4).then(Action::Ping).then(Action::Tools { calls, chunk: Some(6) })
}

#[tokio::test]
async fn four_line_endings_are_one_answer() {
    for dialect in BOTH {
        let plain = Harness::new(dialect, [step()]).await.call().await;
        for framing in [Framing::Lf, Framing::CrLf, Framing::Cr, Framing::Mixed] {
            for tight in [false, true] {
                for bytes in [None, Some(1), Some(7)] {
                    let wire = Wire { framing, tight, bytes, ..Wire::default() };
                    let outcome = Harness::new(dialect, [step().wire(wire)]).await.call().await;
                    assert_eq!(outcome.deltas, plain.deltas, "{dialect:?} {wire:?}");
                    assert_eq!(outcome.end, plain.end, "{dialect:?} {wire:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn every_cut_of_the_body_is_one_answer() {
    for dialect in BOTH {
        let harness = Harness::new(dialect, [step()]).await;
        let plain = harness.call().await;
        for split in 1..body_length(&harness).await {
            harness.script([step().wire(Wire { framing: Framing::CrLf, split: Some(split), ..Wire::default() })]);
            let outcome = harness.call().await;
            assert_eq!(outcome.deltas, plain.deltas, "{dialect:?} {split}");
            assert_eq!(outcome.end, plain.end, "{dialect:?} {split}");
        }
    }
}

#[tokio::test]
async fn bytes_that_are_no_characters_do_not_end_a_call() {
    for dialect in BOTH {
        let half = "👩".chars().map(|_| "\\ud83d").collect::<String>();
        let raw = match dialect {
            engine::provider::Dialect::Anthropic => format!(
                "data: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\"a{half}b\"}}}}\n\n"
            ),
            engine::provider::Dialect::OpenAi => {
                format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"a{half}b\"}}}}]}}\n\n")
            }
        };
        let outcome = Harness::new(dialect, [Step::new().then(Action::Raw { text: raw })]).await.call().await;
        assert_eq!(outcome.text(), "a\u{fffd}b", "{dialect:?}");
    }
}

/// The length of the body, found as the shortest end that loses nothing.
async fn body_length(harness: &Harness) -> usize {
    let (mut low, mut high) = (0_usize, 1 << 14);
    while low + 1 < high {
        let middle = low.midpoint(high);
        let wire = Wire { framing: Framing::CrLf, end_after: Some(middle), ..Wire::default() };
        harness.script([step().wire(wire).always()]);
        let whole = harness.call().await.end.is_ok();
        *(if whole { &mut high } else { &mut low }) = middle;
    }
    high
}
