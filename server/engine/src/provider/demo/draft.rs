use serde_json::json;

use super::Call;
use super::plan::{Step, without};
use super::seen::Seen;

/// Reads what the chat is about, then writes a plan for each part.
pub(super) fn next(seen: &Seen, parts: &[String]) -> Step {
    if !seen.may("Write") {
        return without("Write");
    }
    if parts.is_empty() {
        return Step::Say(
            "Say what each plan is for: draft two plans. One for the endpoint, one for the button.".to_owned(),
        );
    }
    let Some(anchor) = seen.anchor.as_deref() else {
        return Step::Say("Open this chat on an initiative, so that I know what the plans are for.".to_owned());
    };
    let written: Vec<_> = seen.done.iter().filter(|done| done.name == "Write").collect();
    if !written.is_empty() {
        let failed: Vec<&str> = written.iter().filter(|done| done.is_error).map(|done| done.result.as_str()).collect();
        return Step::Say(match failed.is_empty() {
            true => format!("I drafted {}: {}.", counted(parts.len()), joined(parts)),
            false => format!("Not every plan could be written. {}", failed.join(" ")),
        });
    }
    match (seen.last("Read"), seen.last("Glob")) {
        (Some(read), _) if read.is_error => Step::Say(read.result.clone()),
        (Some(read), Some(taken)) => {
            let taken: Vec<&str> = taken.result.lines().collect();
            Step::Call(drafts(parts, &read.result, &taken))
        }
        _ => Step::Call(vec![("Read", json!({"path": anchor})), ("Glob", json!({"pattern": "plans/*.md"}))]),
    }
}

fn drafts(parts: &[String], spec: &str, taken: &[&str]) -> Vec<Call> {
    let spec = Spec::of(spec);
    let mut paths: Vec<String> = taken.iter().map(|path| (*path).to_owned()).collect();
    let draft = |part: &String| {
        let slug = slug(part);
        let path = (1..)
            .map(|number| if number == 1 { format!("plans/{slug}.md") } else { format!("plans/{slug}-{number}.md") })
            .find(|path| !paths.contains(path))
            .unwrap_or_default();
        paths.push(path.clone());
        ("Write", json!({"path": path, "content": plan(part, &spec)}))
    };
    parts.iter().map(draft).collect()
}

/// What the initiative says, as far as a plan can quote it.
struct Spec {
    title: String,
    /// Its first paragraph.
    summary: String,
    /// Its list items and sentences.
    points: Vec<String>,
}

impl Spec {
    fn of(file: &str) -> Spec {
        let (front, body) = match file.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) {
            Some((front, body)) => (front, body),
            None => ("", file),
        };
        let title =
            front.lines().find_map(|line| line.strip_prefix("title:")).map(|title| title.trim().trim_matches('"'));
        let mut summary = String::new();
        let mut points = Vec::new();
        for line in body.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '|', '`'])) {
            let item = line.trim_start_matches(|c: char| "-*+.)".contains(c) || c.is_ascii_digit()).trim();
            if item.len() == line.len() {
                if summary.is_empty() {
                    line.clone_into(&mut summary);
                }
                points.extend(line.split_inclusive(". ").map(|sentence| sentence.trim().to_owned()));
            } else if !item.is_empty() {
                points.push(item.to_owned());
            }
        }
        Spec { title: title.unwrap_or("this initiative").to_owned(), summary, points }
    }

    /// The points that speak about this part.
    fn about(&self, part: &str) -> Vec<&str> {
        let wanted = words(part);
        let speaks = |point: &&String| words(point).iter().any(|word| wanted.contains(word));
        self.points.iter().filter(speaks).map(String::as_str).take(5).collect()
    }
}

/// The words that say something, in their simplest form.
fn words(text: &str) -> Vec<String> {
    const EMPTY: [&str; 12] =
        ["this", "that", "with", "from", "against", "into", "five", "three", "plan", "plans", "their", "each"];
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 3 && !EMPTY.contains(word))
        .map(|word| word.trim_end_matches('s').to_owned())
        .collect()
}

fn plan(part: &str, spec: &Spec) -> String {
    let title = capitalised(part);
    let about = spec.about(part);
    let mut text = format!("---\ntitle: {}\nkind: plan\nstatus: draft\n---\n\n## Goal\n\n", json!(title));
    text.push_str(&format!("The {part} for “{}”.\n", spec.title));
    if !spec.summary.is_empty() {
        text.push_str(&format!("\n{}\n", spec.summary));
    }
    text.push_str("\n## From the initiative\n\n");
    match about.is_empty() {
        true => text.push_str(&format!(
            "- The initiative says nothing of its own about the {part}; agree on it before work starts.\n"
        )),
        false => about.iter().for_each(|point| text.push_str(&format!("- {point}\n"))),
    }
    text.push_str("\n## Steps\n\n");
    text.push_str(&format!("1. Agree on what the {part} covers and what it leaves out.\n"));
    text.push_str("2. Build it with its tests.\n3. Review it against the criteria below.\n");
    text.push_str("\n## Acceptance criteria\n\n");
    text.push_str(&format!("1. The {part} does what the initiative asks for.\n"));
    for (number, point) in about.iter().enumerate() {
        text.push_str(&format!("{}. Checked: {}\n", number + 2, point.trim_end_matches('.')));
    }
    text
}

fn slug(part: &str) -> String {
    let mut slug = String::new();
    for character in part.to_lowercase().chars() {
        match character {
            c if c.is_ascii_alphanumeric() => slug.push(c),
            _ if !slug.ends_with('-') && !slug.is_empty() => slug.push('-'),
            _ => {}
        }
    }
    let slug = slug.trim_end_matches('-');
    let slug = slug.get(..60).unwrap_or(slug).trim_end_matches('-');
    if slug.is_empty() { "plan".to_owned() } else { slug.to_owned() }
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn counted(count: usize) -> String {
    const WORDS: [&str; 9] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let number = WORDS.get(count.wrapping_sub(1)).map_or_else(|| count.to_string(), |word| (*word).to_owned());
    format!("{number} plan{}", if count == 1 { "" } else { "s" })
}

fn joined(parts: &[String]) -> String {
    let titles: Vec<String> = parts.iter().map(|part| capitalised(part)).collect();
    match titles.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => titles.concat(),
    }
}
