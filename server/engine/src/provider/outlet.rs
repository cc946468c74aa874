//! An async function as a stream.

use super::{Delta, ProviderError};
use futures::channel::mpsc::{Receiver, Sender, channel};
use futures::future::BoxFuture;
use futures::stream::{BoxStream, Stream, StreamExt};
use futures::{FutureExt, SinkExt};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Where a call puts its deltas. Waits until the reader has taken the one before.
pub(super) struct Outlet(Sender<Delta>);

impl Outlet {
    pub async fn send(&mut self, delta: Delta) {
        // the reader and the call are one future: a reader that is gone cannot poll this
        let _ = self.0.send(delta).await;
    }
}

/// What `work` puts into its outlet, then its error, if it ends with one. `work` runs only while the stream is polled and is dropped
/// with it.
pub(super) fn stream<F>(work: impl FnOnce(Outlet) -> F) -> BoxStream<'static, Result<Delta, ProviderError>>
where
    F: Future<Output = Result<(), ProviderError>> + Send + 'static,
{
    let (sender, deltas) = channel(0);
    Running { work: Some(work(Outlet(sender)).boxed()), deltas, error: None }.boxed()
}

struct Running {
    work: Option<BoxFuture<'static, Result<(), ProviderError>>>,
    deltas: Receiver<Delta>,
    error: Option<ProviderError>,
}

impl Stream for Running {
    type Item = Result<Delta, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Poll::Ready(Some(delta)) = self.deltas.poll_next_unpin(context) {
            return Poll::Ready(Some(Ok(delta)));
        }
        if let Some(work) = &mut self.work
            && let Poll::Ready(result) = work.poll_unpin(context)
        {
            self.work = None;
            self.error = result.err();
        }
        match self.deltas.poll_next_unpin(context) {
            Poll::Ready(Some(delta)) => Poll::Ready(Some(Ok(delta))),
            _ if self.work.is_some() => Poll::Pending,
            _ => Poll::Ready(self.error.take().map(Err)),
        }
    }
}
