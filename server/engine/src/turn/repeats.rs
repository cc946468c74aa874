use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use serde_json::Value;

/// How often an agent has made the same call with the same result in a row.
#[derive(Default)]
pub(super) struct Repeats {
    last: u64,
    count: u32,
}

/// What is to be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Fine,
    /// The agent is told.
    Tell,
    /// The turn ends.
    End,
}

const TOLD: u32 = 5;
const ENDS: u32 = 8;

impl Repeats {
    pub fn note(&mut self, name: &str, input: &Value, output: &str) -> Verdict {
        let mut hasher = DefaultHasher::new();
        (name, input.to_string(), output).hash(&mut hasher);
        let this = hasher.finish();
        self.count = if self.last == this { self.count + 1 } else { 1 };
        self.last = this;
        match self.count {
            ENDS.. => Verdict::End,
            TOLD => Verdict::Tell,
            _ => Verdict::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_fifth_is_told_and_the_eighth_ends() {
        let mut repeats = Repeats::default();
        let verdicts: Vec<Verdict> = (0..8).map(|_| repeats.note("Read", &json!({"path": "a"}), "x")).collect();
        assert_eq!(verdicts[..4], [Verdict::Fine; 4]);
        assert_eq!(verdicts[4..], [Verdict::Tell, Verdict::Fine, Verdict::Fine, Verdict::End]);
    }

    #[test]
    fn another_result_or_call_begins_anew() {
        let mut repeats = Repeats::default();
        for round in 0..20 {
            assert_eq!(repeats.note("Read", &json!({"path": "a"}), &(round / 4).to_string()), Verdict::Fine);
        }
        for round in 0..20 {
            let path = ["a", "b"][round % 2];
            assert_eq!(repeats.note("Read", &json!({"path": path}), "x"), Verdict::Fine);
        }
    }
}
