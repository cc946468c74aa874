//! How wide the drawer is: what a person prefers, and what the viewport allows.

/// Narrower than this a conversation cannot be read.
pub const LEAST: f64 = 420.0;
/// What a person gets who has never dragged the edge.
pub const DEFAULT: f64 = 520.0;
/// No screen gives more; a stored number beyond it is damage.
const MOST: f64 = 3600.0;

/// The most that a viewport gives: 70 % of it. Where that is less than [`LEAST`], the drawer has the whole page anyway.
#[must_use]
pub fn most(viewport: f64) -> f64 {
    (viewport * 7.0 / 10.0).floor().max(LEAST)
}

/// The width to show for a preference. The preference itself stays: a wide one comes back with a wide window.
#[must_use]
pub fn shown(preference: f64, viewport: f64) -> f64 {
    preference.clamp(LEAST, most(viewport)).round()
}

/// A stored preference; nothing where it is missing, not a number or out of every range.
#[must_use]
pub fn parse(stored: &str) -> Option<f64> {
    let plain = !stored.is_empty() && stored.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let width: f64 = plain.then(|| stored.parse().ok()).flatten()?;
    (LEAST..=MOST).contains(&width).then(|| width.round())
}

/// The width that a key on the edge asks for; nothing for a key that it does not know.
#[must_use]
pub fn by_key(key: &str, shown: f64, viewport: f64) -> Option<f64> {
    const STEP: f64 = 16.0;
    let wanted = match key {
        "ArrowLeft" | "ArrowUp" => shown + STEP,
        "ArrowRight" | "ArrowDown" => shown - STEP,
        "Home" => LEAST,
        "End" => most(viewport),
        _ => return None,
    };
    Some(wanted.clamp(LEAST, most(viewport)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_width_is_taken_only_when_it_can_be_one() {
        for damaged in
            ["", "NaN", "null", "abc", "-5", "0", "1e9", "Infinity", "640px", "{}", "419", "99999", "6.4.0", " 640"]
        {
            assert_eq!(parse(damaged), None, "{damaged:?}");
        }
        assert_eq!(parse("640"), Some(640.0));
        assert_eq!(parse("640.5"), Some(641.0));
        assert_eq!(parse("420"), Some(420.0));
    }

    #[test]
    fn a_small_window_narrows_what_is_shown_and_not_what_is_preferred() {
        let preference = 960.0;
        assert_eq!(shown(preference, 1600.0), 960.0);
        assert_eq!(shown(preference, 1000.0), 700.0);
        assert_eq!(shown(preference, 500.0), LEAST);
        assert_eq!(shown(preference, 1600.0), 960.0);
        assert_eq!(shown(100.0, 1600.0), LEAST);
    }

    #[test]
    fn keys_stop_at_both_ends() {
        assert_eq!(by_key("ArrowLeft", 520.0, 1440.0), Some(536.0));
        assert_eq!(by_key("ArrowRight", 520.0, 1440.0), Some(504.0));
        assert_eq!(by_key("ArrowRight", 424.0, 1440.0), Some(420.0));
        assert_eq!(by_key("ArrowLeft", 1000.0, 1440.0), Some(1008.0));
        assert_eq!(by_key("Home", 900.0, 1440.0), Some(420.0));
        assert_eq!(by_key("End", 520.0, 1440.0), Some(1008.0));
        assert_eq!(by_key("Tab", 520.0, 1440.0), None);
    }
}
