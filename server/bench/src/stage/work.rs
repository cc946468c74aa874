use scripted::{Action, Step};

/// What an answer is to be: so many tokens, so far apart. A message that holds [`Work::text`] is answered so, by whichever way it comes to the
/// provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    pub tokens: usize,
    /// From one token to the next.
    pub microseconds: u64,
}

impl Work {
    pub const fn new(tokens: usize, microseconds: u64) -> Work {
        Work { tokens, microseconds }
    }

    pub fn text(self) -> String {
        format!("Please say {} tokens {} microseconds apart.", self.tokens, self.microseconds)
    }

    pub fn step(self) -> Step {
        let tokens = Action::Tokens { count: self.tokens, microseconds: self.microseconds };
        Step::new().when_user(&self.text()).then(tokens).always()
    }
}
