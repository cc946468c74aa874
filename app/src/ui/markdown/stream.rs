//! Markdown that is still being written: split into its top-level blocks, so that a block that is closed is rendered once and
//! never again, whatever comes after it.
//!
//! Blocks are told apart line by line, and a finished line never changes what the finished blocks before it are; so all blocks but
//! the last of the finished lines are frozen. What lies behind them is parsed anew with each delta, which is one or two blocks
//! however long the text is. When the text is whole, it is parsed once as a whole: only then do later link definitions and
//! footnotes reach the blocks before them.

use std::collections::HashMap;
use std::sync::Arc;

use pulldown_cmark::{BrokenLink, CowStr, Event, Parser};

use super::render::{Rendering, block_to_html, options};

/// The definitions of links that the text has given so far: label to address and title.
type Definitions = HashMap<String, (String, String)>;

/// A text and its blocks as HTML.
#[derive(Clone, Debug)]
pub struct Stream {
    text: String,
    rendering: Rendering,
    blocks: Vec<Arc<str>>,
    /// How many of `blocks` are frozen, and where in the text the first that is not begins.
    frozen: usize,
    open_at: usize,
    definitions: Definitions,
}

impl Stream {
    /// A text that may grow.
    #[must_use]
    pub fn new(text: &str, rendering: Rendering) -> Stream {
        let mut stream = Stream {
            text: String::new(),
            rendering,
            blocks: Vec::new(),
            frozen: 0,
            open_at: 0,
            definitions: Definitions::new(),
        };
        stream.push(text);
        stream
    }

    /// A text that is whole.
    #[must_use]
    pub fn whole(text: &str, rendering: Rendering) -> Stream {
        let blocks = whole_blocks(text, &rendering);
        Stream {
            text: text.to_owned(),
            rendering,
            frozen: blocks.len(),
            blocks,
            open_at: text.len(),
            definitions: Definitions::new(),
        }
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The HTML of each block, in order.
    #[must_use]
    pub fn blocks(&self) -> &[Arc<str>] {
        &self.blocks
    }

    /// Appends what came; gives the first block that may have changed.
    pub fn push(&mut self, delta: &str) -> usize {
        let lines_before = self.finished();
        self.text.push_str(delta);
        if self.finished() > lines_before {
            self.freeze();
        }
        let first = self.frozen;
        self.blocks.truncate(first);
        let tail = &self.text[self.open_at..];
        let (lines, last) = tail.split_at(tail.rfind('\n').map_or(0, |end| end + 1));
        let shown = [lines, settled_part(lines, last)].concat();
        for block in split(&shown, &self.definitions).blocks {
            self.blocks.push(block_to_html(&block.events, &self.rendering).into());
        }
        first
    }

    /// The text is whole. Gives the first block that changed by it, if any did.
    pub fn settle(&mut self) -> Option<usize> {
        let whole = whole_blocks(&self.text, &self.rendering);
        let same = whole.iter().zip(&self.blocks).take_while(|(whole, shown)| whole == shown).count();
        let changed = same < whole.len() || same < self.blocks.len();
        for (place, html) in whole.iter().enumerate() {
            match self.blocks.get_mut(place) {
                Some(shown) if shown == html => {}
                Some(shown) => *shown = html.clone(),
                None => self.blocks.push(html.clone()),
            }
        }
        self.blocks.truncate(whole.len());
        self.frozen = self.blocks.len();
        self.open_at = self.text.len();
        changed.then_some(same)
    }

    /// Where the last finished line ends.
    fn finished(&self) -> usize {
        self.text.rfind('\n').map_or(0, |end| end + 1)
    }

    /// Freezes all blocks of the finished lines but the last.
    fn freeze(&mut self) {
        let lines = &self.text[self.open_at..self.finished().max(self.open_at)];
        let mut found = split(lines, &self.definitions);
        let last = found.blocks.pop().map(|block| block.start);
        let closed: Vec<Arc<str>> =
            found.blocks.into_iter().map(|block| block_to_html(&block.events, &self.rendering).into()).collect();
        for (label, definition) in found.definitions {
            self.definitions.entry(label).or_insert(definition);
        }
        let Some(last) = last else { return };
        self.blocks.truncate(self.frozen);
        self.blocks.extend(closed);
        self.frozen = self.blocks.len();
        // from the start of its line: what indents a block belongs to it
        self.open_at += lines[..last].rfind('\n').map_or(0, |end| end + 1);
    }
}

fn whole_blocks(text: &str, rendering: &Rendering) -> Vec<Arc<str>> {
    let known = Definitions::new();
    split(text, &known).blocks.iter().map(|block| block_to_html(&block.events, rendering).into()).collect()
}

struct Block<'a> {
    start: usize,
    events: Vec<Event<'a>>,
}

struct Split<'a> {
    blocks: Vec<Block<'a>>,
    definitions: Definitions,
}

fn split<'a>(text: &'a str, known: &'a Definitions) -> Split<'a> {
    let resolve = |link: BrokenLink<'a>| {
        let (address, title) = known.get(&label(&link.reference))?;
        Some((CowStr::Borrowed(address.as_str()), CowStr::Borrowed(title.as_str())))
    };
    let mut parser = Parser::new_with_broken_link_callback(text, options(), Some(resolve)).into_offset_iter();
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut depth = 0_usize;
    for (event, range) in parser.by_ref() {
        if depth == 0 {
            blocks.push(Block { start: range.start, events: Vec::new() });
        }
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(block) = blocks.last_mut() {
            block.events.push(event);
        }
    }
    let definitions = parser
        .reference_definitions()
        .iter()
        .map(|(name, link)| {
            let title = link.title.as_ref().map(ToString::to_string).unwrap_or_default();
            (label(name), (link.dest.to_string(), title))
        })
        .collect();
    Split { blocks, definitions }
}

/// A label as CommonMark compares it: without regard to case and to how much space there is.
fn label(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The part of an unfinished last line that can be shown already. A line that so far holds only what may become a fence, a rule,
/// an underline or a list's mark would be shown as one thing now and as another with the next character.
fn settled_part<'a>(lines: &str, last: &'a str) -> &'a str {
    let bare = last.trim();
    if let Some(mark) = bare.chars().next().filter(|mark| matches!(mark, '`' | '~')) {
        let ticks = bare.chars().take_while(|c| *c == mark).count();
        let only_ticks = ticks == bare.chars().count();
        return match open_fence(lines) {
            // it may close the fence
            Some((fence, _)) if only_ticks && fence == mark => "",
            None if only_ticks && ticks < 3 => "",
            // the language is not whole yet
            None if ticks >= 3 && !bare[ticks..].contains('`') => &last[..last.len() - last.trim_start().len() + ticks],
            _ => last,
        };
    }
    if open_fence(lines).is_some() {
        return last;
    }
    let digits = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = digits.len() < bare.len() && matches!(digits, "" | "." | ")");
    let marks = bare.chars().all(|c| matches!(c, '-' | '=' | '#' | '*' | '+' | '>' | '_' | '|' | ':' | ' '));
    if number || marks { "" } else { last }
}

/// The fence that finished lines leave open, at the top level.
fn open_fence(lines: &str) -> Option<(char, usize)> {
    let mut open: Option<(char, usize)> = None;
    for line in lines.lines() {
        let bare = line.trim_start_matches(' ');
        let Some(mark) = bare.chars().next().filter(|mark| matches!(mark, '`' | '~')) else { continue };
        if line.len() - bare.len() > 3 {
            continue;
        }
        let ticks = bare.chars().take_while(|c| *c == mark).count();
        let rest = bare[ticks..].trim();
        match open {
            Some((fence, least)) if fence == mark && ticks >= least && rest.is_empty() => open = None,
            None if ticks >= 3 && !(mark == '`' && rest.contains('`')) => open = Some((mark, ticks)),
            _ => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_once(text: &str) -> String {
        let events: Vec<Event<'_>> = Parser::new_ext(text, options()).collect();
        block_to_html(&events, &Rendering::default())
    }

    fn html(blocks: &[Arc<str>]) -> String {
        blocks.concat()
    }

    /// Feeds a text character by character; a frozen block must stay as it is, and the end must equal the whole.
    fn feed(text: &str) -> Stream {
        let mut stream = Stream::new("", Rendering::default());
        let mut seen: Vec<Arc<str>> = Vec::new();
        for character in text.chars() {
            let first = stream.push(&character.to_string());
            assert!(first >= seen.len(), "a frozen block was rendered again in {text:?}");
            assert_eq!(&stream.blocks()[..seen.len()], &seen[..], "a frozen block changed in {text:?}");
            seen = stream.blocks()[..first].to_vec();
        }
        stream
    }

    const TEXTS: &[&str] = &[
        "```markdown\n## A\n```\nx\n```\n```json\n{}\n```\n```",
        "````markdown\n## A\n```\nx\n```\n```json\n{}\n```\n````\nafter\n",
        "~~~\ncode ``` still\n~~~\n\nend",
        "a regex line: let r = /```[a-z]+/; and on\n\nnext",
        "open to the end\n\n```rust\nfn main() {\n",
        "- item\n\n  ```sh\n  ls\n  ```\n- other\n\nafter",
        "1. a\n\n2. b\n\n3. c\n\ntext",
        "para\n- item\n- item\n\nTitle\n---\n\nunder\n===\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n\nend",
        "text\na | b\n|---|---|\n| 1 | 2 |\n",
        "text\na | b\n|---|---|x\nmore\n",
        "- a\n\n-\n\n- [ ] b\n- [x] c\n\n    code\n\npara",
        "> quote\nlazy\n\n> other\n\n    indented\n\n    code\n",
        "[x]: https://example.test \"T\"\n\nsee [x] and [X]\n\nagain [x]",
        "<div>\nraw\n\n</div>\n\nafter <b>bold</b>\n",
        "# A\n## B\ntext **bold** and `code`\n***\n* * *\n- - -\nend",
        "a\r\n\r\n- b\r\n- c\r\n\r\n```\r\nd\r\n```\r\n",
        "* one\n\n1) two\n\n+ three\nfour\n\n\n\n\nfive",
        "こんにちは **世界** 👩‍👩‍👧\n\n- 一\n- 二\n",
    ];

    #[test]
    fn the_end_equals_one_rendering_of_the_whole() {
        for text in TEXTS {
            let mut stream = feed(text);
            stream.settle();
            assert_eq!(html(stream.blocks()), html(Stream::whole(text, Rendering::default()).blocks()), "{text:?}");
            assert_eq!(html(stream.blocks()), at_once(text), "{text:?}");
        }
    }

    #[test]
    fn settling_changes_nothing_but_the_last_block_where_nothing_refers_forward() {
        for text in TEXTS {
            let mut stream = feed(text);
            let blocks = stream.blocks().len();
            if let Some(first) = stream.settle() {
                assert!(first + 1 >= blocks.min(stream.blocks().len()), "{text:?}: from {first} of {blocks}");
            }
        }
    }

    #[test]
    fn what_comes_later_reaches_back_when_the_text_is_whole() {
        for text in ["see [x]\n\nthen\n\n[x]: https://example.test\n", "note[^1]\n\nthen\n\n[^1]: said\n"] {
            let mut stream = feed(text);
            assert!(stream.settle().is_some());
            assert_eq!(html(stream.blocks()), at_once(text));
        }
    }

    /// How often the kind of the last block changes while a text arrives character by character.
    fn kinds(text: &str) -> Vec<String> {
        let mut stream = Stream::new("", Rendering::default());
        let mut kinds: Vec<String> = Vec::new();
        for character in text.chars() {
            stream.push(&character.to_string());
            let Some(last) = stream.blocks().last() else { continue };
            let kind = last[..last.find('>').map_or(last.len(), |end| end + 1)].to_owned();
            if kinds.last() != Some(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    #[test]
    fn a_fence_is_code_from_its_first_sight_and_its_ticks_are_never_shown() {
        assert_eq!(kinds("```\nfn a() {}\n```\n"), ["<div class=\"code\">"]);
        assert_eq!(kinds("~~~~\nx\n~~~~"), ["<div class=\"code\">"]);
        let mut stream = Stream::new("", Rendering::default());
        for character in "```rust\nlet a = 1;\n```\ndone".chars() {
            stream.push(&character.to_string());
            assert!(!html(stream.blocks()).contains('`'), "{:?}", html(stream.blocks()));
            assert!(!html(stream.blocks()).contains("language-r\""));
        }
    }

    #[test]
    fn a_rule_or_a_list_under_a_paragraph_does_not_flash_as_a_heading() {
        assert_eq!(kinds("para\n- item"), ["<p dir=\"auto\">", "<ul dir=\"auto\">"]);
        assert_eq!(kinds("para\n\n---\n\nend"), ["<p dir=\"auto\">", "<hr>", "<p dir=\"auto\">"]);
    }

    #[test]
    fn three_ticks_in_mid_line_are_text() {
        let stream = feed("x = /```/;\ny");
        assert!(html(stream.blocks()).starts_with("<p "));
        assert!(!html(stream.blocks()).contains("<pre"));
    }

    #[test]
    fn a_long_text_costs_its_open_block_only() {
        let mut stream = Stream::new("", Rendering::default());
        for paragraph in 0..200 {
            stream.push(&format!("Paragraph {paragraph} with *some* text.\n\n"));
            assert!(stream.blocks().len() - stream.frozen <= 2);
        }
        assert_eq!(stream.blocks().len(), 200);
        assert!(stream.text().len() - stream.open_at < 80);
    }
}
