use std::time::Duration;

use leptos::prelude::*;
use time::OffsetDateTime;

/// How long something has been going on, counting up. Nothing in the first render: only the browser has a clock.
#[component]
pub fn Elapsed(since: OffsetDateTime) -> impl IntoView {
    let seconds = RwSignal::new(None::<i64>);
    Effect::new(move |_| {
        let tick = move || {
            #[expect(clippy::cast_possible_truncation, reason = "seconds since 1970")]
            let now = (js_sys::Date::now() / 1000.0) as i64;
            let _ = seconds.try_set(Some((now - since.unix_timestamp()).max(0)));
        };
        tick();
        if let Ok(handle) = set_interval_with_handle(tick, Duration::from_secs(1)) {
            on_cleanup(move || handle.clear());
        }
    });
    move || seconds.get().map(clock)
}

/// `0:41`, `12:05`, `1:02:03`.
#[must_use]
pub fn clock(seconds: i64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{rest:02}") } else { format!("{minutes}:{rest:02}") }
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn a_clock_counts_up() {
        assert_eq!(clock(0), "0:00");
        assert_eq!(clock(41), "0:41");
        assert_eq!(clock(725), "12:05");
        assert_eq!(clock(3723), "1:02:03");
    }
}
