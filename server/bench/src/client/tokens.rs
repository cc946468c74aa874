use crate::measure::clock;

/// The tokens of one answer as they came in. The provider writes into each its number and when it wrote it.
#[derive(Debug)]
pub struct Tokens {
    /// Microseconds since 1970 at which the answer was asked for.
    asked: u64,
    first: Option<u64>,
    last: u64,
    /// When the provider wrote the token that came last.
    last_written: u64,
    /// Milliseconds from the provider's writing to the client's reading, one a token.
    pub delays: Vec<f64>,
    /// The numbers as they came.
    pub numbers: Vec<usize>,
    /// The beginning of a token whose end is still to come.
    half: String,
}

impl Tokens {
    /// The answer is asked for now.
    pub fn ask() -> Tokens {
        let asked = clock::microseconds();
        Tokens {
            asked,
            first: None,
            last: asked,
            last_written: asked,
            delays: Vec::new(),
            numbers: Vec::new(),
            half: String::new(),
        }
    }

    /// Text that was read at `now`; it may hold several tokens, or part of one.
    pub fn hear(&mut self, text: &str, now: u64) {
        self.half.push_str(text);
        let Some(end) = self.half.rfind(' ') else { return };
        let rest = self.half.split_off(end + 1);
        let whole = std::mem::replace(&mut self.half, rest);
        for token in whole.split_ascii_whitespace() {
            let Some((number, written)) = token.split_once(':') else { continue };
            let (Ok(number), Ok(written)) = (number.parse(), written.parse::<u64>()) else { continue };
            self.first.get_or_insert(now);
            self.last = now;
            self.last_written = written;
            self.numbers.push(number);
            self.delays.push(clock::milliseconds(now.saturating_sub(written)));
        }
    }

    /// Milliseconds from asking to the first token.
    pub fn first(&self) -> Option<f64> {
        self.first.map(|first| clock::milliseconds(first.saturating_sub(self.asked)))
    }

    /// Seconds from asking to the last token.
    pub fn seconds(&self) -> f64 {
        clock::milliseconds(self.last.saturating_sub(self.asked)) / 1_000.0
    }

    /// When the last token was read.
    pub const fn heard(&self) -> u64 {
        self.last
    }

    pub const fn last_written(&self) -> u64 {
        self.last_written
    }

    /// Whether each of `count` tokens came once and in order.
    pub fn are_whole(&self, count: usize) -> bool {
        self.numbers.len() == count && self.numbers.iter().enumerate().all(|(place, number)| place == *number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_may_come_in_halves() {
        let mut tokens = Tokens::ask();
        tokens.hear("0:10 1:", 2_010);
        tokens.hear("20 2:3", 5_020);
        assert!(tokens.are_whole(2));
        assert_eq!(tokens.delays, [2.0, 5.0]);
        assert_eq!(tokens.last_written(), 20);
        assert!(!tokens.are_whole(3));
    }
}
