/// What went wrong, as a sentence: whoever runs a benchmark reads it once.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

pub type Result<T> = std::result::Result<T, Error>;
