//! Differences, drawn line by line with the changed words marked.

use leptos::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Same,
    Added,
    Removed,
}

/// One line with its number on either side, and its text in runs of which some are marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub mark: Mark,
    pub old: Option<u32>,
    pub new: Option<u32>,
    pub runs: Vec<(bool, String)>,
}

/// Hunks of a difference, inline or with the two sides beside one another.
#[component]
pub fn DiffView(hunks: Vec<Vec<Line>>, #[prop(optional)] side_by_side: bool) -> impl IntoView {
    let label = if side_by_side { "Difference, side by side" } else { "Difference" };
    view! {
        <div class="diff-scroll" tabindex="0" role="group" aria-label=label>
            <table class=if side_by_side { "diff sides" } else { "diff" }>
                {hunks
                    .into_iter()
                    .map(|lines| {
                        let rows = if side_by_side { pairs(lines) } else { inline(lines) };
                        view! { <tbody>{rows}</tbody> }
                    })
                    .collect_view()}
            </table>
        </div>
    }
}

fn number(n: Option<u32>) -> impl IntoView {
    view! { <td class="no">{n.map(|n| n.to_string())}</td> }
}

fn text(runs: Vec<(bool, String)>) -> AnyView {
    runs.into_iter()
        .map(|(marked, text)| if marked { view! { <mark>{text}</mark> }.into_any() } else { text.into_any() })
        .collect_view()
        .into_any()
}

const fn look(mark: Mark) -> (&'static str, &'static str, &'static str) {
    match mark {
        Mark::Same => ("", " ", ""),
        Mark::Added => ("added", "+", "added: "),
        Mark::Removed => ("removed", "−", "removed: "),
    }
}

fn inline(lines: Vec<Line>) -> AnyView {
    lines
        .into_iter()
        .map(|line| {
            let (class, sign, said) = look(line.mark);
            view! {
                <tr class=class>
                    {number(line.old)} {number(line.new)} <td class="sign" aria-hidden="true">
                        {sign}
                    </td>
                    <td class="line" dir="auto">
                        <span class="unseen">{said}</span>
                        {text(line.runs)}
                    </td>
                </tr>
            }
        })
        .collect_view()
        .into_any()
}

/// Puts a run of removed lines beside the run of added lines that follows it.
fn pair(lines: Vec<Line>) -> Vec<(Option<Line>, Option<Line>)> {
    let mut rows = Vec::new();
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    let flush = |rows: &mut Vec<_>, removed: &mut Vec<Line>, added: &mut Vec<Line>| {
        let mut left = removed.drain(..);
        let mut right = added.drain(..);
        loop {
            match (left.next(), right.next()) {
                (None, None) => break,
                sides => rows.push(sides),
            }
        }
    };
    for line in lines {
        match line.mark {
            Mark::Removed => {
                if !added.is_empty() {
                    flush(&mut rows, &mut removed, &mut added);
                }
                removed.push(line);
            }
            Mark::Added => added.push(line),
            Mark::Same => {
                flush(&mut rows, &mut removed, &mut added);
                rows.push((Some(line.clone()), Some(line)));
            }
        }
    }
    flush(&mut rows, &mut removed, &mut added);
    rows
}

fn side(line: Option<Line>, old: bool) -> AnyView {
    let Some(line) = line else {
        return view! {
            <td class="no"></td>
            <td class="line nothing"></td>
        }
        .into_any();
    };
    let (class, _, said) = look(line.mark);
    view! {
        <td class="no">{if old { line.old } else { line.new }.map(|n| n.to_string())}</td>
        <td class=format!("line {class}") dir="auto">
            <span class="unseen">{said}</span>
            {text(line.runs)}
        </td>
    }
    .into_any()
}

fn pairs(lines: Vec<Line>) -> AnyView {
    pair(lines)
        .into_iter()
        .map(|(old, new)| view! { <tr>{side(old, true)} {side(new, false)}</tr> })
        .collect_view()
        .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mark: Mark, text: &str) -> Line {
        Line { mark, old: None, new: None, runs: vec![(false, text.to_owned())] }
    }

    #[test]
    fn removed_lines_stand_beside_the_added_ones_that_follow() {
        let rows = pair(vec![
            line(Mark::Same, "a"),
            line(Mark::Removed, "b"),
            line(Mark::Removed, "c"),
            line(Mark::Added, "d"),
            line(Mark::Removed, "e"),
        ]);
        let shown: Vec<_> = rows
            .iter()
            .map(|(old, new)| {
                let text = |side: &Option<Line>| side.as_ref().map(|line| line.runs[0].1.clone());
                (text(old), text(new))
            })
            .collect();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(shown, [(some("a"), some("a")), (some("b"), some("d")), (some("c"), None), (some("e"), None)]);
    }
}
