//! What a call costs.

use super::Usage;

/// The day when the providers' price pages said what is in the table below.
pub const PRICES_OF: &str = "2026-11-05";

/// Millionths of a USD for a million tokens, which is the same as pico-USD for one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Price {
    input: i64,
    output: i64,
    cache_read: i64,
    /// For the cache of five minutes, the one that we use.
    cache_write: i64,
}

/// A prompt longer than so many tokens has the second price, for all of its call.
type Entry = (&'static str, Price, Option<(i64, Price)>);

/// In USD for a million tokens, as the providers write it; at most three digits after the point.
const fn usd(input: f64, output: f64, cache_read: f64, cache_write: f64) -> Price {
    Price { input: micro(input), output: micro(output), cache_read: micro(cache_read), cache_write: micro(cache_write) }
}

#[expect(clippy::cast_possible_truncation, reason = "prices are small, and rounded to the nearest")]
const fn micro(usd: f64) -> i64 {
    (usd * 1_000_000.0 + 0.5) as i64
}

/// By the name without its date. OpenAI's older models have no price for writing to the cache: that is plain input.
const PRICES: &[Entry] = &[
    ("claude-fable-5-1", usd(10.0, 50.0, 0.25, 12.5), None),
    ("claude-fable-5", usd(10.0, 50.0, 1.0, 12.5), None),
    ("claude-mythos-5-1", usd(10.0, 50.0, 0.25, 12.5), None),
    ("claude-mythos-5", usd(10.0, 50.0, 1.0, 12.5), None),
    ("claude-opus-5-5", usd(4.0, 20.0, 0.2, 5.0), None),
    ("claude-opus-5", usd(5.0, 25.0, 0.5, 6.25), None),
    ("claude-opus-4-8", usd(5.0, 25.0, 0.5, 6.25), None),
    ("claude-opus-4-7", usd(5.0, 25.0, 0.5, 6.25), None),
    ("claude-opus-4-6", usd(5.0, 25.0, 0.5, 6.25), None),
    ("claude-opus-4-5", usd(5.0, 25.0, 0.5, 6.25), None),
    ("claude-opus-4-1", usd(15.0, 75.0, 1.5, 18.75), None),
    ("claude-opus-4-0", usd(15.0, 75.0, 1.5, 18.75), None),
    ("claude-opus-4", usd(15.0, 75.0, 1.5, 18.75), None),
    ("claude-sonnet-5-5", usd(2.0, 10.0, 0.1, 2.5), None),
    ("claude-sonnet-5", usd(2.0, 10.0, 0.2, 2.5), None),
    ("claude-sonnet-4-6", usd(3.0, 15.0, 0.3, 3.75), None),
    ("claude-sonnet-4-5", usd(3.0, 15.0, 0.3, 3.75), None),
    ("claude-sonnet-4-0", usd(3.0, 15.0, 0.3, 3.75), None),
    ("claude-sonnet-4", usd(3.0, 15.0, 0.3, 3.75), None),
    ("claude-haiku-5-5", usd(0.1, 0.5, 0.01, 0.125), Some((100_000, usd(0.5, 2.5, 0.05, 0.625)))),
    ("claude-haiku-4-5", usd(1.0, 5.0, 0.1, 1.25), None),
    ("claude-3-5-haiku", usd(0.8, 4.0, 0.08, 1.0), None),
    ("gpt-6.1-sol", usd(2.0, 10.0, 0.1, 2.5), Some((272_000, usd(4.0, 15.0, 0.2, 5.0)))),
    ("gpt-6-sol", usd(2.0, 10.0, 0.2, 2.5), Some((272_000, usd(4.0, 15.0, 0.4, 5.0)))),
    ("gpt-5.5", usd(5.0, 30.0, 0.5, 5.0), Some((272_000, usd(10.0, 45.0, 1.0, 10.0)))),
    ("gpt-5.4", usd(2.5, 15.0, 0.25, 2.5), Some((272_000, usd(5.0, 22.5, 0.5, 5.0)))),
    ("gpt-5.4-mini", usd(0.75, 4.5, 0.075, 0.75), None),
    ("gpt-5.4-nano", usd(0.2, 1.25, 0.02, 0.2), None),
    ("gpt-5.2", usd(1.75, 14.0, 0.175, 1.75), None),
    ("gpt-5.1", usd(1.25, 10.0, 0.125, 1.25), None),
    ("gpt-5", usd(1.25, 10.0, 0.125, 1.25), None),
    ("gpt-5-mini", usd(0.25, 2.0, 0.025, 0.25), None),
    ("gpt-5-nano", usd(0.05, 0.4, 0.005, 0.05), None),
    ("gpt-4.1", usd(2.0, 8.0, 0.5, 2.0), None),
    ("gpt-4.1-mini", usd(0.4, 1.6, 0.1, 0.4), None),
    ("gpt-4.1-nano", usd(0.1, 0.4, 0.025, 0.1), None),
    ("gpt-4o", usd(2.5, 10.0, 1.25, 2.5), None),
    ("gpt-4o-mini", usd(0.15, 0.6, 0.075, 0.15), None),
    ("o3", usd(2.0, 8.0, 0.5, 2.0), None),
    ("o4-mini", usd(1.1, 4.4, 0.275, 1.1), None),
];

/// The cost of one call in millionths of a USD, rounded to the nearest; `None` when the model's price is not known, which is never the
/// same as 0. Give it the usage of one call: some prices depend on the length of the prompt.
#[must_use]
pub fn cost(model: &str, usage: &Usage) -> Option<i64> {
    let name = undated(model);
    let (_, short, long) = PRICES.iter().find(|(known, ..)| *known == name)?;
    let prompt = usage.input_tokens.saturating_add(usage.cache_read_tokens).saturating_add(usage.cache_write_tokens);
    let price = match long {
        Some((limit, price)) if prompt > *limit => price,
        _ => short,
    };
    let pico: i128 = [
        (usage.input_tokens, price.input),
        (usage.output_tokens, price.output),
        (usage.cache_read_tokens, price.cache_read),
        (usage.cache_write_tokens, price.cache_write),
    ]
    .into_iter()
    .map(|(tokens, price)| i128::from(tokens.max(0)) * i128::from(price))
    .sum();
    Some(i64::try_from((pico + 500_000) / 1_000_000).unwrap_or(i64::MAX))
}

/// The name without `-latest`, `-20250929` or `-2025-08-07` at its end.
fn undated(model: &str) -> &str {
    let is_date = |digits: &str| digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(name) = model.strip_suffix("-latest") {
        return name;
    }
    if let Some((name, date)) = model.rsplit_once('-')
        && is_date(date)
    {
        return name;
    }
    match model.len().checked_sub(11).and_then(|at| model.split_at_checked(at)) {
        Some((name, date)) if date.starts_with('-') && is_date(&date.replace('-', "")) => name,
        _ => model,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input_tokens: i64, output_tokens: i64, cache_read_tokens: i64, cache_write_tokens: i64) -> Usage {
        Usage { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens: 7 }
    }

    #[test]
    fn costs() {
        let cases = [
            ("claude-sonnet-4-5", usage(1_000_000, 0, 0, 0), Some(3_000_000)),
            ("claude-sonnet-4-5-20250929", usage(25, 120, 10_000, 2_000), Some(75 + 1800 + 3000 + 7500)),
            ("claude-haiku-5-5", usage(100_000, 0, 0, 0), Some(10_000)),
            ("claude-haiku-5-5", usage(50_000, 10, 50_000, 1), Some(27_526)),
            ("gpt-4o-2024-08-06", usage(1000, 1000, 0, 0), Some(12_500)),
            ("gpt-5-nano", usage(1, 0, 0, 0), Some(0)),
            ("gpt-5-nano", usage(10, 0, 0, 0), Some(1)),
            ("gpt-6.1-sol", usage(0, 0, 0, 0), Some(0)),
            ("o3", usage(i64::MAX, i64::MAX, 0, 0), Some(i64::MAX)),
            ("o3", usage(-5, 0, 0, 0), Some(0)),
            ("scripted", usage(1, 1, 0, 0), None),
            ("gpt-5-unheard-of", usage(1, 1, 0, 0), None),
            ("", usage(1, 1, 0, 0), None),
            ("計画計画計画計画", usage(1, 1, 0, 0), None),
        ];
        for (model, usage, expected) in cases {
            assert_eq!(cost(model, &usage), expected, "{model} {usage:?}");
        }
    }

    #[test]
    fn every_name_is_found_and_listed_once() {
        for (number, (name, price, long)) in PRICES.iter().enumerate() {
            assert_eq!(PRICES.iter().position(|(other, ..)| other == name), Some(number), "{name}");
            assert!(cost(&format!("{name}-latest"), &Usage::default()).is_some(), "{name}");
            assert!(price.cache_read < price.input && price.input < price.output, "{name}");
            assert!(long.is_none_or(|(limit, long)| limit > 0 && long.input > price.input), "{name}");
        }
    }
}
