use std::fmt::Write;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use super::link::{Target, target};

/// How Markdown sits in its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendering {
    /// The level that the text's highest heading gets, so that headings of the page stay in order.
    pub top: u8,
    /// Headings that open a section of their own, compared without regard to case.
    pub sections: &'static [&'static str],
    /// Put before the ids of footnotes, so that two texts on one page do not meet.
    pub prefix: String,
    /// Show what stands between [`FRESH_START`] and [`FRESH_END`] as freshly changed.
    pub fresh: bool,
}

impl Default for Rendering {
    fn default() -> Self {
        Rendering { top: 3, sections: &[], prefix: String::new(), fresh: false }
    }
}

/// Stand around freshly changed words, where [`Rendering::fresh`] asks for them. From a range of Unicode that means nothing.
pub const FRESH_START: char = '\u{E0F0}';
pub const FRESH_END: char = '\u{E0F1}';

pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES
}

/// Text for the inside of an element or of an attribute in double quotes.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
}

/// Renders CommonMark with tables, task lists, strikethrough and footnotes to HTML that is safe whatever the source says.
#[must_use]
pub fn to_html(source: &str, rendering: &Rendering) -> String {
    let events: Vec<Event<'_>> = Parser::new_ext(source, options()).collect();
    let shift = shift(&events, rendering.top);
    write(&events, rendering, shift, source.len())
}

/// Renders blocks of a text that may go on: what they become does not hang on the blocks around them.
pub(super) fn block_to_html(events: &[Event<'_>], rendering: &Rendering) -> String {
    write(events, rendering, i8::try_from(rendering.top).unwrap_or(3) - 1, 256)
}

fn write(events: &[Event<'_>], rendering: &Rendering, shift: i8, size: usize) -> String {
    let mut writer = Writer {
        out: String::with_capacity(size + size / 4),
        rendering,
        shift,
        section: None,
        links: Vec::new(),
        image: None,
        alignments: Vec::new(),
        column: 0,
        in_head: false,
        depth: 0,
    };
    for (at, event) in events.iter().enumerate() {
        writer.event(event, &events[at + 1..]);
    }
    writer.close_section();
    writer.out
}

fn shift(events: &[Event<'_>], top: u8) -> i8 {
    let highest = events.iter().filter_map(|event| match event {
        Event::Start(Tag::Heading { level, .. }) => Some(*level as u8),
        _ => None,
    });
    highest.min().map_or(0, |highest| i8::try_from(top).unwrap_or(2) - i8::try_from(highest).unwrap_or(1))
}

struct Writer<'a> {
    out: String,
    rendering: &'a Rendering,
    shift: i8,
    /// The level of the heading that opened the present section.
    section: Option<HeadingLevel>,
    /// For each link that is open, whether it became one.
    links: Vec<bool>,
    /// The address of the picture that is open, and its words so far.
    image: Option<(String, String)>,
    alignments: Vec<Alignment>,
    column: usize,
    in_head: bool,
    /// How many blocks are open around the present place.
    depth: usize,
}

impl Writer<'_> {
    fn event(&mut self, event: &Event<'_>, rest: &[Event<'_>]) {
        if self.image.is_some() {
            return self.in_image(event);
        }
        match event {
            Event::Start(tag) => {
                self.start(tag, rest);
                self.depth += 1;
            }
            Event::End(tag) => {
                self.depth = self.depth.saturating_sub(1);
                self.end(tag);
            }
            // raw HTML is text
            Event::Text(text) => self.text(text),
            Event::Html(text) | Event::InlineHtml(text) => escape(text, &mut self.out),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.out.push_str("<code dir=\"ltr\">");
                escape(text, &mut self.out);
                self.out.push_str("</code>");
            }
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            Event::FootnoteReference(name) => {
                self.out.push_str("<sup><a href=\"#");
                self.footnote_id(name);
                self.out.push_str("\">");
                escape(name, &mut self.out);
                self.out.push_str("</a></sup>");
            }
            Event::TaskListMarker(done) => {
                let (checked, said) = if *done { (" checked", "done") } else { ("", "not done") };
                let _ = write!(self.out, "<input type=\"checkbox\" disabled aria-label=\"{said}\"{checked}> ");
            }
        }
    }

    fn text(&mut self, text: &str) {
        // both marks in one piece of text, in order, or none: the tags must close where they open
        if self.rendering.fresh && text.contains(FRESH_START) {
            for (at, part) in text.split(FRESH_START).enumerate() {
                match part.split_once(FRESH_END) {
                    Some((fresh, rest)) if at > 0 => {
                        self.out.push_str("<span class=\"fresh\">");
                        escape(fresh, &mut self.out);
                        self.out.push_str("</span>");
                        escape(rest, &mut self.out);
                    }
                    _ => escape(part, &mut self.out),
                }
            }
        } else {
            escape(text, &mut self.out);
        }
    }

    /// Pictures are shown from our own site only; from elsewhere they are links, so that looking at a text tells nobody.
    fn in_image(&mut self, event: &Event<'_>) {
        match event {
            Event::End(TagEnd::Image) => {}
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                if let Some((_, words)) = &mut self.image {
                    words.push_str(text);
                }
                return;
            }
            _ => return,
        }
        let Some((address, words)) = self.image.take() else { return };
        match target(&address) {
            Target::Own(address) => {
                self.out.push_str("<img loading=\"lazy\" src=\"");
                escape(&address, &mut self.out);
                self.out.push_str("\" alt=\"");
                escape(&words, &mut self.out);
                self.out.push_str("\">");
            }
            Target::Foreign(address) => {
                let host = address.split_once("://").map_or("", |(_, rest)| rest);
                let host = host.split(['/', '?', '#']).next().unwrap_or_default().to_owned();
                let nested = self.links.contains(&true);
                if !nested {
                    self.out.push_str("<a class=\"picture\" target=\"_blank\" rel=\"noopener noreferrer\" href=\"");
                    escape(&address, &mut self.out);
                    self.out.push_str("\">");
                }
                self.out.push_str("Picture: ");
                escape(if words.is_empty() { "untitled" } else { &words }, &mut self.out);
                self.out.push_str(" (");
                escape(&host, &mut self.out);
                self.out.push(')');
                if !nested {
                    self.out.push_str("</a>");
                }
            }
            Target::None => escape(&words, &mut self.out),
        }
    }

    fn start(&mut self, tag: &Tag<'_>, rest: &[Event<'_>]) {
        match tag {
            Tag::Paragraph => self.out.push_str("<p dir=\"auto\">"),
            Tag::Heading { level, .. } => self.heading(*level, rest),
            Tag::BlockQuote(_) => self.out.push_str("<blockquote dir=\"auto\">"),
            Tag::CodeBlock(kind) => self.code(kind),
            Tag::List(Some(1)) => self.out.push_str("<ol dir=\"auto\">"),
            Tag::List(Some(start)) => {
                let _ = write!(self.out, "<ol dir=\"auto\" start=\"{start}\">");
            }
            Tag::List(None) => self.out.push_str("<ul dir=\"auto\">"),
            Tag::Item => {
                let task = rest.iter().take(2).any(|event| matches!(event, Event::TaskListMarker(_)));
                self.out.push_str(if task { "<li dir=\"auto\" class=\"task\">" } else { "<li dir=\"auto\">" });
            }
            Tag::FootnoteDefinition(name) => {
                self.out.push_str("<div class=\"footnote\" dir=\"auto\" id=\"");
                self.footnote_id(name);
                self.out.push_str("\"><sup>");
                escape(name, &mut self.out);
                self.out.push_str("</sup> ");
            }
            Tag::Table(alignments) => {
                self.alignments.clone_from(alignments);
                self.out.push_str("<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>");
            }
            Tag::TableHead => {
                self.in_head = true;
                self.column = 0;
                self.out.push_str("<thead><tr>");
            }
            Tag::TableRow => {
                self.column = 0;
                self.out.push_str("<tr>");
            }
            Tag::TableCell => {
                let side = match self.alignments.get(self.column) {
                    Some(Alignment::Center) => " class=\"center\"",
                    Some(Alignment::Right) => " class=\"right\"",
                    _ => "",
                };
                let cell = if self.in_head { "th scope=\"col\"" } else { "td" };
                let _ = write!(self.out, "<{cell} dir=\"auto\"{side}>");
            }
            Tag::Emphasis => self.out.push_str("<em>"),
            Tag::Strong => self.out.push_str("<strong>"),
            Tag::Strikethrough => self.out.push_str("<del>"),
            Tag::Link { link_type, dest_url, .. } => self.link(*link_type, dest_url),
            Tag::Image { dest_url, .. } => self.image = Some((dest_url.to_string(), String::new())),
            // raw HTML is text, in a paragraph of its own
            Tag::HtmlBlock => self.out.push_str("<p dir=\"auto\">"),
            Tag::MetadataBlock(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript => {}
        }
    }

    fn end(&mut self, tag: &TagEnd) {
        self.out.push_str(match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => "</p>\n",
            TagEnd::Heading(level) => {
                let level = self.level(*level);
                let _ = writeln!(self.out, "</h{level}>");
                return;
            }
            TagEnd::BlockQuote(_) => "</blockquote>\n",
            TagEnd::CodeBlock => "</code></pre></div>\n",
            TagEnd::List(true) => "</ol>\n",
            TagEnd::List(false) => "</ul>\n",
            TagEnd::Item => "</li>\n",
            TagEnd::FootnoteDefinition => "</div>\n",
            TagEnd::Table => "</tbody></table></div>\n",
            TagEnd::TableHead => {
                self.in_head = false;
                "</tr></thead><tbody>\n"
            }
            TagEnd::TableRow => "</tr>\n",
            TagEnd::TableCell => {
                self.column += 1;
                if self.in_head { "</th>" } else { "</td>" }
            }
            TagEnd::Emphasis => "</em>",
            TagEnd::Strong => "</strong>",
            TagEnd::Strikethrough => "</del>",
            TagEnd::Link => {
                if self.links.pop() == Some(true) {
                    "</a>"
                } else {
                    ""
                }
            }
            TagEnd::Image
            | TagEnd::MetadataBlock(_)
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript => "",
        });
    }

    fn level(&self, level: HeadingLevel) -> i8 {
        (level as i8).saturating_add(self.shift).clamp(1, 6)
    }

    fn heading(&mut self, level: HeadingLevel, rest: &[Event<'_>]) {
        // headings inside quotes and lists open no sections
        if self.depth == 0 {
            if self.section.is_some_and(|open| level <= open) {
                self.close_section();
            }
            let words: String = rest
                .iter()
                .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
                .filter_map(|event| match event {
                    Event::Text(text) | Event::Code(text) => Some(&**text),
                    _ => None,
                })
                .collect();
            let known = self.rendering.sections.iter().find(|known| known.eq_ignore_ascii_case(words.trim()));
            if let Some(known) = known {
                self.close_section();
                self.section = Some(level);
                self.out.push_str("<section class=\"section\" aria-label=\"");
                escape(known, &mut self.out);
                self.out.push_str("\">\n");
            }
        }
        let level = self.level(level);
        let _ = write!(self.out, "<h{level} dir=\"auto\">");
    }

    fn close_section(&mut self) {
        if self.section.take().is_some() {
            self.out.push_str("</section>\n");
        }
    }

    fn code(&mut self, kind: &CodeBlockKind<'_>) {
        let language = match kind {
            CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or_default(),
            CodeBlockKind::Indented => "",
        };
        self.out.push_str("<div class=\"code\"><div class=\"code-head\"><span>");
        escape(language, &mut self.out);
        self.out.push_str(
            "</span><button type=\"button\" data-copy>Copy</button></div><pre dir=\"ltr\" tabindex=\"0\"><code",
        );
        if !language.is_empty() {
            self.out.push_str(" class=\"language-");
            escape(language, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
    }

    fn link(&mut self, kind: LinkType, address: &str) {
        let mail = matches!(kind, LinkType::Email).then(|| format!("mailto:{address}"));
        let (address, foreign) = match target(mail.as_deref().unwrap_or(address)) {
            Target::Own(address) => (address, false),
            Target::Foreign(address) => (address, true),
            Target::None => return self.links.push(false),
        };
        self.links.push(true);
        self.out.push_str("<a href=\"");
        escape(&address, &mut self.out);
        self.out.push('"');
        if foreign {
            self.out.push_str(" target=\"_blank\" rel=\"noopener noreferrer\" title=\"");
            escape(&address, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
    }

    fn footnote_id(&mut self, name: &str) {
        escape(&self.rendering.prefix, &mut self.out);
        self.out.push_str("note-");
        escape(name, &mut self.out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(source: &str) -> String {
        to_html(source, &Rendering::default())
    }

    #[test]
    fn nothing_that_runs_gets_through() {
        for source in [
            "<img src=x onerror=alert(1)>",
            "<svg/onload=alert(1)>",
            "<iframe srcdoc=\"<script>alert(1)</script>\">",
            "[x](javascript:alert(1))",
            "[x](JaVa&#x09;script:alert(1))",
            "[x](data:text/html,<script>alert(1)</script>)",
            "</script><script>alert(1)</script>",
            "<form action=//evil>",
            "<style>*{display:none}</style>",
            "a <b onclick=alert(1)>b</b>",
            "![x\" onerror=\"alert(1)](/a.png)",
            "```\"><script>alert(1)</script>\nx\n```",
            "| a |\n|---|\n| <script>alert(1)</script> |",
            "[^\"><script>]\n\n[^\"><script>]: x",
            "<a href=//evil target=_blank>x</a>",
            "<!-- --></div></div>",
        ] {
            let html = html(source);
            let mut tags = html.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or_default());
            assert!(
                tags.all(|tag| {
                    let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap_or_default();
                    let known = [
                        "p", "a", "img", "div", "span", "button", "pre", "code", "table", "thead", "tbody", "tr", "th",
                        "td", "sup",
                    ];
                    known.contains(&name) && !tag.contains("javascript") && !tag.contains(" on")
                }),
                "{source} became {html}"
            );
        }
    }

    #[test]
    fn foreign_pictures_are_links_and_own_ones_are_shown() {
        let foreign = html("![chart](https://evil.example/p.png?d=SECRET)");
        assert!(!foreign.contains("<img"), "{foreign}");
        assert!(foreign.contains("Picture: chart (evil.example)"), "{foreign}");
        let reference = html("![x][r]\n\n[r]: https://evil.example/p.png");
        assert!(!reference.contains("<img"), "{reference}");
        assert!(html("![x](/api/v1/attachments/1)").contains("<img"));
        // no link within a link
        let nested = html("[![a](https://b.example/c.png)](https://d.example)");
        assert_eq!(nested.matches("<a ").count(), 1, "{nested}");
    }

    #[test]
    fn known_headings_open_sections_and_others_close_them() {
        let rendering =
            Rendering { top: 2, sections: &["Acceptance criteria", "Open questions"], ..Rendering::default() };
        let html = to_html(
            "Intro\n\n## acceptance Criteria\n\n1. a\n\n### detail\n\nx\n\n## Rest\n\ny\n\n```\n## Open questions\n```\n",
            &rendering,
        );
        assert_eq!(html.matches("<section").count(), 1, "{html}");
        let section =
            html.split("<section").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap_or_default();
        assert!(section.contains("<li") && section.contains("<h3") && !section.contains("Rest"), "{html}");
    }

    #[test]
    fn headings_start_where_the_page_wants_them() {
        let html = to_html("# A\n\n## B\n\n###### C", &Rendering { top: 2, ..Rendering::default() });
        assert!(html.contains("<h2 dir=\"auto\">A</h2>"), "{html}");
        assert!(html.contains("<h3 dir=\"auto\">B</h3>"), "{html}");
        assert!(html.contains("<h6 dir=\"auto\">C</h6>"), "{html}");
    }

    #[test]
    fn fences_follow_commonmark() {
        let four = html("````markdown\n## A\n```\nx\n```\n````\n");
        assert_eq!(four.matches("<pre").count(), 1, "{four}");
        assert!(four.contains("```\nx\n```"), "{four}");
        assert!(html("~~~\n```\n~~~").contains("```"));
        assert!(!html("a regex /```/ in the middle").contains("<pre"));
        assert!(html("```rust\nlet x").ends_with("let x</code></pre></div>\n"));
        assert_eq!(html("- a\n  ```\n  b\n  ```").matches("<pre").count(), 1);
    }

    #[test]
    fn fresh_words_are_marked_where_the_page_asks() {
        let source = format!("a {FRESH_START}new{FRESH_END} b {FRESH_START}open");
        let shown = to_html(&source, &Rendering { fresh: true, ..Rendering::default() });
        assert_eq!(shown, "<p dir=\"auto\">a <span class=\"fresh\">new</span> b open</p>\n");
        assert!(!html(&source).contains("span"));
    }

    #[test]
    fn tables_tasks_and_notes_are_there() {
        let html = html("| a | b |\n|--:|---|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n~~gone~~ and[^1]\n\n[^1]: note");
        for part in ["<div class=\"table\"", "class=\"right\"", "checked", "class=\"task\"", "<del>", "id=\"note-1\""] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }
}
