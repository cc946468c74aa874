/// One server-sent event.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Event {
    pub id: Option<String>,
    pub data: String,
}

/// Takes bytes as they come and gives the events that are whole. Lines end with LF, as all servers measured here write them.
#[derive(Default)]
pub struct Parser {
    bytes: Vec<u8>,
    read: usize,
}

impl Parser {
    pub fn push(&mut self, piece: &[u8]) {
        if self.read > 0 {
            self.bytes.drain(..self.read);
            self.read = 0;
        }
        self.bytes.extend_from_slice(piece);
    }

    pub fn next(&mut self) -> Option<Event> {
        loop {
            let rest = &self.bytes[self.read..];
            let end = rest.windows(2).position(|pair| pair == b"\n\n")?;
            let event = parse(&String::from_utf8_lossy(&rest[..end]));
            self.read += end + 2;
            // comments keep a connection open and say nothing
            if !event.data.is_empty() {
                return Some(event);
            }
        }
    }
}

fn parse(block: &str) -> Event {
    let mut event = Event::default();
    for line in block.lines() {
        if let Some(data) = line.strip_prefix("data:") {
            if !event.data.is_empty() {
                event.data.push('\n');
            }
            event.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        } else if let Some(id) = line.strip_prefix("id:") {
            event.id = Some(id.trim().to_owned());
        }
    }
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_given_when_they_are_whole() {
        let mut parser = Parser::default();
        parser.push(b": hello\n\nid: 7\nda");
        assert_eq!(parser.next(), None);
        parser.push(b"ta: {\"a\":1}\n\nevent: x\ndata: b\n\n");
        assert_eq!(parser.next(), Some(Event { id: Some("7".into()), data: "{\"a\":1}".into() }));
        assert_eq!(parser.next(), Some(Event { id: None, data: "b".into() }));
        assert_eq!(parser.next(), None);
    }
}
