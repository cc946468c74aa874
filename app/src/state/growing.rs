use std::sync::{Arc, Mutex, PoisonError};

use leptos::prelude::*;

use crate::ui::markdown::{Rendering, Stream};

/// A part's text as it stands, one signal a block of Markdown: what grows touches the last block only.
#[derive(Clone)]
pub struct Growing(Arc<Inner>);

struct Inner {
    stream: Mutex<Stream>,
    blocks: Mutex<Vec<ArcRwSignal<Arc<str>>>>,
    count: ArcRwSignal<usize>,
}

impl Growing {
    /// `whole`: nothing more will come.
    #[must_use]
    pub fn new(text: &str, whole: bool) -> Growing {
        let stream =
            if whole { Stream::whole(text, Rendering::default()) } else { Stream::new(text, Rendering::default()) };
        let blocks: Vec<_> = stream.blocks().iter().map(|html| ArcRwSignal::new(html.clone())).collect();
        let count = ArcRwSignal::new(blocks.len());
        Growing(Arc::new(Inner { stream: Mutex::new(stream), blocks: Mutex::new(blocks), count }))
    }

    /// How many blocks there are.
    #[must_use]
    pub fn count(&self) -> ArcRwSignal<usize> {
        self.0.count.clone()
    }

    /// The HTML of one block.
    #[must_use]
    pub fn block(&self, place: usize) -> ArcRwSignal<Arc<str>> {
        let blocks = self.0.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.get(place).cloned().unwrap_or_default()
    }

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.stream.lock().unwrap_or_else(PoisonError::into_inner).text().to_owned()
    }

    /// Brings the part to `text`. What only grew is appended; what was taken back is begun anew.
    pub fn update(&self, text: &str, whole: bool) {
        let mut stream = self.0.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let mut first = None;
        if let Some(delta) = text.strip_prefix(stream.text()) {
            if !delta.is_empty() {
                first = Some(stream.push(delta));
            }
        } else {
            *stream = Stream::new(text, Rendering::default());
            first = Some(0);
        }
        if whole {
            first = first.into_iter().chain(stream.settle()).min();
        }
        if let Some(first) = first {
            self.show(stream.blocks(), first);
        }
    }

    fn show(&self, html: &[Arc<str>], first: usize) {
        let mut blocks = self.0.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.truncate(html.len());
        for (place, html) in html.iter().enumerate().skip(first) {
            match blocks.get(place) {
                Some(block) if *block.read_untracked() == *html => {}
                Some(block) => block.set(html.clone()),
                None => blocks.push(ArcRwSignal::new(html.clone())),
            }
        }
        let count = blocks.len();
        drop(blocks);
        if self.0.count.get_untracked() != count {
            self.0.count.set(count);
        }
    }
}
