/// Bytes up to which texts are compared where one is: moving the work costs more than doing it.
const SMALL: usize = 64 * 1024;

/// Does work on texts of `size` bytes, large ones off the threads that serve requests.
pub async fn aside<T: Send + 'static>(size: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    if size <= SMALL {
        return work();
    }
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        // it cannot be cancelled: what ended it was a panic, which goes on where it was asked for
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
