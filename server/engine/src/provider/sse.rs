//! Server-sent events out of bytes, by the rules of the HTML standard, for any cut between two reads.

use std::collections::VecDeque;

/// No event of a provider is near this; a stream that never ends an event must not fill the memory.
const LARGEST_EVENT: usize = 32 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// Empty when the stream gave none.
    pub name: String,
    pub data: String,
}

/// Takes bytes as they come and gives whole events. Bytes are kept until their line is complete, so that no character is ever decoded in
/// halves; bytes that are no UTF-8 become U+FFFD. LF, CRLF and CR end a line, also when a CRLF is cut in two. An event that no blank line
/// ends is not given.
#[derive(Debug, Default)]
pub(super) struct Parser {
    line: Vec<u8>,
    after_cr: bool,
    started: bool,
    name: String,
    data: Option<String>,
    size: usize,
    ready: VecDeque<Event>,
}

/// An event grew past every sensible size.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl Parser {
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), TooLarge> {
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            if rest[0] == b'\n' {
                rest = &rest[1..];
            }
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, tail) = rest.split_at(end);
            if self.line.is_empty() {
                self.end_of_line(line);
            } else {
                self.line.extend_from_slice(line);
                let line = std::mem::take(&mut self.line);
                self.end_of_line(&line);
            }
            rest = match tail {
                [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => rest,
                [_, rest @ ..] => {
                    self.after_cr = rest.is_empty();
                    rest
                }
                [] => tail,
            };
        }
        self.line.extend_from_slice(rest);
        if self.line.len() + self.size > LARGEST_EVENT { Err(TooLarge) } else { Ok(()) }
    }

    pub fn next(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }

    fn end_of_line(&mut self, line: &[u8]) {
        let line = if self.started { line } else { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) };
        self.started = true;
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            self.size = 0;
            if let Some(data) = self.data.take() {
                self.ready.push_back(Event { name, data });
            }
            return;
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                self.size += value.len();
                let value = String::from_utf8_lossy(value);
                match &mut self.data {
                    Some(data) => {
                        data.push('\n');
                        data.push_str(&value);
                    }
                    None => self.data = Some(value.into_owned()),
                }
            }
            b"event" => self.name = String::from_utf8_lossy(value).into_owned(),
            // comments, ids and retry times mean nothing to us: a call is never resumed in its middle
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse<'a>(reads: impl IntoIterator<Item = &'a [u8]>) -> Vec<Event> {
        let mut parser = Parser::default();
        let mut events = vec![];
        for read in reads {
            parser.push(read).expect("small events");
            while let Some(event) = parser.next() {
                events.push(event);
            }
        }
        events
    }

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.into(), data: data.into() }
    }

    #[test]
    fn line_endings_and_fields() {
        let cases: &[(&str, &[Event])] = &[
            ("event: x\ndata: a\n\n", &[event("x", "a")]),
            ("event: x\r\ndata: a\r\n\r\n", &[event("x", "a")]),
            ("event: x\rdata: a\r\r", &[event("x", "a")]),
            ("event: x\r\ndata: a\n\r", &[event("x", "a")]),
            ("event:x\ndata:{\"a\":1}\n\n", &[event("x", "{\"a\":1}")]),
            ("data: A\r\ndata: B\r\n\r\n", &[event("", "A\nB")]),
            ("data:  two spaces\n\n", &[event("", " two spaces")]),
            (": comment\n\nid: 7\nretry: 9\ndata: a\n\n", &[event("", "a")]),
            ("\u{feff}data: a\n\ndata: \u{feff}\n\n", &[event("", "a"), event("", "\u{feff}")]),
            ("data\n\n", &[event("", "")]),
            ("event: only a name\n\ndata: a\n\n", &[event("", "a")]),
            ("data: no end\n", &[]),
            ("data: no end", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(parse([text.as_bytes()]), *expected, "{text:?}");
        }
    }

    #[test]
    fn an_event_that_ends_with_a_lone_cr_does_not_wait_for_the_next_byte() {
        assert_eq!(parse([b"data: a\r\r".as_slice()]), [event("", "a")]);
    }

    #[test]
    fn a_cut_crlf_counts_once() {
        let reads = [b"data: A\r".as_slice(), b"\ndata: B\r\n\r", b"\n", b"data: C\r\n\r\n"];
        assert_eq!(parse(reads), [event("", "A\nB"), event("", "C")]);
    }

    #[test]
    fn bytes_that_are_no_utf8_are_replaced() {
        assert_eq!(parse([b"data: a\xFFb\n\n".as_slice()]), [event("", "a\u{fffd}b")]);
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut parser = Parser::default();
        let read = vec![b'x'; 1 << 20];
        let refused = (0..64).any(|_| parser.push(&read) == Err(TooLarge));
        assert!(refused);
    }

    proptest! {
        #[test]
        fn cuts_change_nothing(
            events in prop::collection::vec(("[a-z]{0,4}", "[ -~\u{8ba1}\u{1F469}\u{200d}ï]{0,12}"), 0..6),
            ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r\n", "\r"]), 1..6),
            cuts in prop::collection::vec(0usize..400, 0..20),
        ) {
            let mut ends = ends.into_iter().cycle();
            let mut body = String::new();
            for (name, data) in &events {
                for line in [format!("event: {name}"), format!("data: {data}"), String::new()] {
                    // a blank line written as LF after a line that ended with CR would be one line end
                    let mut end = ends.next().unwrap_or("\n");
                    if line.is_empty() && body.ends_with('\r') && end == "\n" {
                        end = "\r";
                    }
                    body.push_str(&line);
                    body.push_str(end);
                }
            }
            let body = body.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
            cuts.extend([0, body.len()]);
            cuts.sort_unstable();
            let reads = cuts.windows(2).map(|window| &body[window[0]..window[1]]);
            let expected: Vec<Event> = events.iter().map(|(name, data)| event(name, data)).collect();
            prop_assert_eq!(parse(reads), expected);
        }

        #[test]
        fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            parse([bytes.as_slice()]);
        }
    }
}
