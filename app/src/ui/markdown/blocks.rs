use std::ops::Range;

use pulldown_cmark::{Event, Parser};

use super::render::options;

/// The top-level blocks of a text, in order: the last one may still grow, the ones before it are closed.
///
/// While a text streams in, each closed block is rendered once and kept. Definitions of links and footnotes reach across
/// blocks, so a finished text is rendered whole.
#[must_use]
pub fn blocks(source: &str) -> Vec<Range<usize>> {
    let mut depth = 0_usize;
    let mut found: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new_ext(source, options()).into_offset_iter() {
        match event {
            Event::Start(_) => {
                if depth == 0 {
                    found.push(range);
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Rule if depth == 0 => found.push(range),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_in_order_and_an_open_fence_is_one() {
        let source = "# A\n\npara\nmore\n\n- x\n- y\n\n---\n\n```rust\nfn a() {\n\nlet";
        let shown: Vec<&str> = blocks(source).into_iter().map(|range| source[range].trim_end()).collect();
        assert_eq!(shown, ["# A", "para\nmore", "- x\n- y", "---", "```rust\nfn a() {\n\nlet"]);
    }
}
