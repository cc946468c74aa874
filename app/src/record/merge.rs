//! A text with both sides of a conflict marked, and the choices that settle it.

use leptos::prelude::*;

use crate::ui::{Badge, Button, Tone, dom};

/// One marked place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The lines it takes up, markers included.
    lines: std::ops::Range<usize>,
    pub first: String,
    pub second: String,
    /// What the markers call the two sides.
    pub names: (String, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    First,
    Second,
    Both,
}

/// The places of a text that are still marked.
#[must_use]
pub fn places(text: &str) -> Vec<Place> {
    #[derive(PartialEq)]
    enum In {
        Text,
        First,
        Base,
        Second,
    }
    let mut found = Vec::new();
    let mut state = In::Text;
    let (mut start, mut first, mut second, mut name) = (0, String::new(), String::new(), String::new());
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let bare = line.trim_end_matches(['\r', '\n']);
        match state {
            In::Text | In::First | In::Base | In::Second if bare.starts_with("<<<<<<<") => {
                (start, first, second) = (at, String::new(), String::new());
                name = bare.trim_start_matches('<').trim().to_owned();
                state = In::First;
            }
            In::First if bare.starts_with("|||||||") => state = In::Base,
            In::First | In::Base if bare == "=======" => state = In::Second,
            In::Second if bare.starts_with(">>>>>>>") => {
                found.push(Place {
                    lines: start..at + 1,
                    first: std::mem::take(&mut first),
                    second: std::mem::take(&mut second),
                    names: (std::mem::take(&mut name), bare.trim_start_matches('>').trim().to_owned()),
                });
                state = In::Text;
            }
            In::First => first.push_str(line),
            In::Second => second.push_str(line),
            In::Text | In::Base => {}
        }
    }
    found
}

/// The text with one place settled.
#[must_use]
pub fn settle(text: &str, place: &Place, choice: Choice) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, line) in text.split_inclusive('\n').enumerate() {
        if at == place.lines.start {
            if matches!(choice, Choice::First | Choice::Both) {
                out.push_str(&place.first);
            }
            if matches!(choice, Choice::Second | Choice::Both) {
                out.push_str(&place.second);
            }
        }
        if !place.lines.contains(&at) {
            out.push_str(line);
        }
    }
    out
}

/// The marked places of a text, each with both sides and a choice. The text itself stays open to editing elsewhere.
#[component]
pub fn Places(
    text: RwSignal<String>,
    /// What to call the two sides, whatever the markers say.
    names: (&'static str, &'static str),
) -> impl IntoView {
    let open = Memo::new(move |_| text.with(|text| places(text)));
    let choose = move |at: usize, choice: Choice| {
        let settled = open
            .with_untracked(|open| open.get(at).map(|place| text.with_untracked(|text| settle(text, place, choice))));
        if let Some(settled) = settled {
            text.set(settled);
            // the pressed button is gone with its place: on to the next one, or to the text
            request_animation_frame(|| {
                let next = if document().query_selector(".place .btn").ok().flatten().is_some() {
                    ".place .btn"
                } else {
                    ".editor textarea, .proposal textarea"
                };
                dom::focus(next);
            });
        }
    };
    view! {
        <div class="places">
            <p class="places-count" role="status">
                {move || match open.with(Vec::len) {
                    0 => "Nothing is left to settle.".to_owned(),
                    1 => "1 place is left to settle.".to_owned(),
                    n => format!("{n} places are left to settle."),
                }}
            </p>
            {move || {
                open.get()
                    .into_iter()
                    .enumerate()
                    .map(|(at, place)| {
                        view! {
                            <div class="place" role="group" aria-label=format!("Place {}", at + 1)>
                                <div class="place-side">
                                    <Badge>{names.0}</Badge>
                                    <pre dir="auto">{shown(&place.first)}</pre>
                                    <Button on:click=move |_| choose(at, Choice::First)>
                                        {format!("Keep {}", names.0.to_lowercase())}
                                    </Button>
                                </div>
                                <div class="place-side">
                                    <Badge tone=Tone::Accent>{names.1}</Badge>
                                    <pre dir="auto">{shown(&place.second)}</pre>
                                    <Button on:click=move |_| choose(at, Choice::Second)>
                                        {format!("Keep {}", names.1.to_lowercase())}
                                    </Button>
                                </div>
                                <Button on:click=move |_| choose(at, Choice::Both)>"Keep both"</Button>
                            </div>
                        }
                    })
                    .collect_view()
            }}
        </div>
    }
}

fn shown(side: &str) -> String {
    if side.trim().is_empty() { "(nothing)".to_owned() } else { side.trim_end_matches('\n').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKED: &str = "a\n<<<<<<< current\nb\n||||||| base\nx\n=======\nc\nd\n>>>>>>> yours\ne\n<<<<<<< current\n=======\nf\n>>>>>>> yours\n";

    #[test]
    fn marked_places_are_found_with_both_sides() {
        let found = places(MARKED);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].first.as_str(), found[0].second.as_str()), ("b\n", "c\nd\n"));
        assert_eq!(found[0].names, ("current".to_owned(), "yours".to_owned()));
        assert_eq!((found[1].first.as_str(), found[1].second.as_str()), ("", "f\n"));
    }

    #[test]
    fn settling_leaves_the_rest_as_it_was() {
        let first = settle(MARKED, &places(MARKED)[0], Choice::Second);
        assert_eq!(first, "a\nc\nd\ne\n<<<<<<< current\n=======\nf\n>>>>>>> yours\n");
        assert_eq!(settle(&first, &places(&first)[0], Choice::First), "a\nc\nd\ne\n");
        assert_eq!(settle(MARKED, &places(MARKED)[0], Choice::Both).lines().nth(1), Some("b"));
    }

    #[test]
    fn what_only_looks_like_a_marker_is_text() {
        assert_eq!(places("a\n=======\nb\n>>>>>>> x\n"), []);
        assert_eq!(places("<<<<<<< never closed\nx\n"), []);
    }
}
