use std::{future::Future, pin::Pin, sync::Arc};

use leptos::{prelude::*, task::spawn_local};
use serde::{Serialize, de::DeserializeOwned};

use crate::api::Refusal;

/// One answer with the number of its question: of two answers to the same key the one with the higher number is newer. The key
/// stands in a tuple of its own, as a key of `()` would come out of JSON as none.
type Answer<K, T> = (u32, Option<(K,)>, Result<T, Refusal>);
type Fetch<K, T> = Arc<dyn Fn(K) -> Pin<Box<dyn Future<Output = Result<T, Refusal>> + Send>> + Send + Sync>;

/// How a refresh stands: at most one is on its way, and one more may wait for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flight {
    Idle,
    Flying,
    FlyingAndWanted,
}

/// Something that a page shows: fetched anew when its key changes, refreshed in place when a notice says so.
///
/// The first answer comes with the page from the server. A new key draws what shows it anew; a refresh only changes the
/// signal that [`Loaded::ready`] gave, so focus, menus and drafts stay.
///
/// To be made where the page is made, never within a `Suspense` or in what awaits one: those are drawn several times on the
/// server, and the browser would look for the answer under another number.
pub struct Loaded<K: Send + Sync + 'static, T: Send + Sync + 'static> {
    resource: Resource<Answer<K, T>>,
    fresh: RwSignal<Option<Answer<K, T>>>,
    key: Memo<Option<K>>,
    fetch: StoredValue<Fetch<K, T>>,
    count: StoredValue<u32>,
    flight: StoredValue<Flight>,
}

impl<K: Send + Sync, T: Send + Sync> Copy for Loaded<K, T> {}

impl<K: Send + Sync, T: Send + Sync> Clone for Loaded<K, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, T> Loaded<K, T>
where
    K: Clone + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static,
    T: Clone + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static,
{
    /// Nothing is fetched while the key is absent.
    pub fn new<Fut>(
        key: impl Fn() -> Option<K> + Send + Sync + 'static,
        fetch: impl Fn(K) -> Fut + Send + Sync + 'static,
    ) -> Self
    where
        Fut: Future<Output = Result<T, Refusal>> + Send + 'static,
    {
        let fetch: Fetch<K, T> = Arc::new(move |key| Box::pin(fetch(key)));
        let key = Memo::new(move |_| key());
        let count = StoredValue::new(0_u32);
        let fetch = StoredValue::new(fetch);
        let resource = Resource::new(
            move || key.get(),
            move |key| {
                let number = count.try_update_value(|count| {
                    *count += 1;
                    *count
                });
                let asked = key.clone().zip(fetch.try_get_value());
                async move {
                    let answer = match asked {
                        Some((key, fetch)) => fetch(key).await,
                        None => Err(Refusal::not_found()),
                    };
                    (number.unwrap_or(0), key.map(|key| (key,)), answer)
                }
            },
        );
        Loaded { resource, fresh: RwSignal::new(None), key, fetch, count, flight: StoredValue::new(Flight::Idle) }
    }

    /// The value, once it is there: a signal that follows what is refreshed. To be awaited beneath a `Suspense` or
    /// `Transition`, which is drawn anew when the key changes.
    pub async fn ready(self) -> Result<Signal<T>, Refusal> {
        let (number, key, first) = self.resource.await;
        // the server counted the first answer; the browser counts on from there
        self.count.try_update_value(|count| *count = (*count).max(number));
        let first = first?;
        let fresh = self.fresh;
        Ok(Memo::new(move |_| {
            fresh.with(|fresh| match fresh {
                Some((newer, of, Ok(value))) if *of == key && *newer > number => value.clone(),
                _ => first.clone(),
            })
        })
        .into())
    }

    /// Asks again. While a question is on its way the next one waits, and several that wait are one.
    pub fn refresh(self) {
        let Some(idle) = self.flight.try_update_value(|flight| {
            let idle = *flight == Flight::Idle;
            *flight = if idle { Flight::Flying } else { Flight::FlyingAndWanted };
            idle
        }) else {
            return;
        };
        if idle {
            spawn_local(self.fly());
        }
    }

    async fn fly(self) {
        loop {
            let asked = self.key.try_get_untracked().flatten().zip(self.fetch.try_get_value());
            let number = self.count.try_update_value(|count| {
                *count += 1;
                *count
            });
            if let Some(((key, fetch), number)) = asked.zip(number) {
                let answer = fetch(key.clone()).await;
                // what could not be asked stays as it was: the next notice asks again
                if answer.is_ok() {
                    let _ = self.fresh.try_set(Some((number, Some((key,)), answer)));
                }
            }
            let again = self.flight.try_update_value(|flight| {
                let again = *flight == Flight::FlyingAndWanted;
                *flight = if again { Flight::Flying } else { Flight::Idle };
                again
            });
            if again != Some(true) {
                return;
            }
        }
    }
}
