//! Times: zone-neutral in the first render, in the reader's zone and words once the browser has taken over.

use leptos::prelude::*;
use time::{Date, OffsetDateTime, format_description::well_known::Rfc3339};

/// What the clock says, for all times on the page: nothing until the browser has taken over, then milliseconds since 1970.
#[derive(Clone, Copy)]
pub struct Clock(RwSignal<Option<f64>>);

impl Clock {
    /// Makes the clock known to everything below, and winds it in the browser. Called once, by the application.
    pub fn provide() -> Clock {
        let clock = Clock(RwSignal::new(None));
        provide_context(clock);
        // runs in the browser only, after the first render
        Effect::new(move |_| {
            let tick = move || {
                let _ = clock.0.try_set(Some(js_sys::Date::now()));
            };
            set_timeout(tick, std::time::Duration::ZERO);
            if let Ok(handle) = set_interval_with_handle(tick, std::time::Duration::from_secs(20)) {
                on_cleanup(move || handle.clear());
            }
        });
        clock
    }

    #[must_use]
    pub fn now(self) -> Option<f64> {
        self.0.get()
    }
}

/// A moment in words that suit its age, with the exact time on hover.
#[component]
pub fn Time(#[prop(into)] at: Signal<OffsetDateTime>) -> impl IntoView {
    let clock = use_context::<Clock>();
    let now = move || clock.and_then(Clock::now);
    let words = move || match now() {
        None => neutral(at.get()),
        Some(now) => relative(now, at.get()),
    };
    let exact = move || match now() {
        None => neutral(at.get()),
        Some(_) => exact(at.get()),
    };
    view! {
        <time datetime=move || at.get().format(&Rfc3339).unwrap_or_default() title=exact>
            {words}
        </time>
    }
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn month(date: Date) -> &'static str {
    MONTHS.get(usize::from(u8::from(date.month())).wrapping_sub(1)).copied().unwrap_or("")
}

/// `30 Nov 2025, 20:53 UTC`: the same on every machine.
#[must_use]
pub fn neutral(at: OffsetDateTime) -> String {
    let at = at.to_offset(time::UtcOffset::UTC);
    format!("{} {} {}, {:02}:{:02} UTC", at.day(), month(at.date()), at.year(), at.hour(), at.minute())
}

/// A moment as the wall clock of some zone shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wall {
    date: Date,
    hour: u32,
    minute: u32,
}

/// How the moment reads now, in the reader's zone. Asks the browser: never in a first render.
#[must_use]
pub fn relative(now: f64, at: OffsetDateTime) -> String {
    let then = milliseconds(at);
    words((now - then) / 1000.0, wall(now), wall(then))
}

/// The exact time in the reader's zone and manner.
fn exact(at: OffsetDateTime) -> String {
    let date = js_sys::Date::new(&milliseconds(at).into());
    String::from(date.to_string())
}

/// Milliseconds since 1970. Exact to the millisecond for the next 200,000 years.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn milliseconds(at: OffsetDateTime) -> f64 {
    (at.unix_timestamp_nanos() / 1_000_000) as f64
}

fn wall(milliseconds: f64) -> Wall {
    let date = js_sys::Date::new(&milliseconds.into());
    let month = u8::try_from(date.get_month() + 1).ok().and_then(|month| time::Month::try_from(month).ok());
    let year = i32::try_from(date.get_full_year()).unwrap_or(1970);
    let day = u8::try_from(date.get_date()).unwrap_or(1);
    Wall {
        date: Date::from_calendar_date(year, month.unwrap_or(time::Month::January), day).unwrap_or(Date::MIN),
        hour: date.get_hours(),
        minute: date.get_minutes(),
    }
}

/// Minutes count as true elapsed time; days count as days of the calendar, whatever their length.
fn words(elapsed: f64, now: Wall, then: Wall) -> String {
    let days = now.date.to_julian_day() - then.date.to_julian_day();
    let clock = format!("{:02}:{:02}", then.hour, then.minute);
    if (-60.0..45.0).contains(&elapsed) {
        return "just now".to_owned();
    }
    if (45.0..3600.0).contains(&elapsed) {
        return format!("{} min ago", (elapsed / 60.0).round().max(1.0));
    }
    match days {
        0 => clock,
        1 => format!("yesterday, {clock}"),
        2..=6 => format!("{days} days ago"),
        _ if now.date.year() == then.date.year() => format!("{} {}, {clock}", then.date.day(), month(then.date)),
        _ => format!("{} {} {}", then.date.day(), month(then.date), then.date.year()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::{date, datetime};

    fn at(date: Date, hour: u32, minute: u32) -> Wall {
        Wall { date, hour, minute }
    }

    #[test]
    fn days_are_days_of_the_calendar() {
        let hours = |h: f64| h * 3600.0;
        // Europe/Berlin, the day of 23 hours: still yesterday
        let then = at(date!(2026 - 03 - 29), 0, 15);
        assert_eq!(words(hours(23.25), at(date!(2026 - 03 - 30), 0, 30), then), "yesterday, 00:15");
        // the day of 25 hours: 24 h 15 min ago and still today
        let then = at(date!(2026 - 10 - 25), 0, 15);
        assert_eq!(words(hours(24.25), at(date!(2026 - 10 - 25), 23, 30), then), "00:15");
        assert_eq!(words(hours(25.25), at(date!(2026 - 10 - 26), 0, 30), then), "yesterday, 00:15");
        // two hours ago, on the other side of midnight
        let then = at(date!(2026 - 05 - 01), 23, 0);
        assert_eq!(words(hours(2.0), at(date!(2026 - 05 - 02), 1, 0), then), "yesterday, 23:00");
    }

    #[test]
    fn ages_read_as_people_say_them() {
        let now = at(date!(2026 - 05 - 20), 12, 0);
        assert_eq!(words(3.0, now, now), "just now");
        assert_eq!(words(-5.0, now, now), "just now");
        assert_eq!(words(50.0, now, now), "1 min ago");
        assert_eq!(words(59.0 * 60.0, now, now), "59 min ago");
        assert_eq!(words(3.0 * 86400.0, now, at(date!(2026 - 05 - 17), 9, 0)), "3 days ago");
        assert_eq!(words(40.0 * 86400.0, now, at(date!(2026 - 04 - 10), 9, 5)), "10 Apr, 09:05");
        assert_eq!(words(400.0 * 86400.0, now, at(date!(2025 - 04 - 15), 9, 5)), "15 Apr 2025");
    }

    #[test]
    fn the_first_render_is_the_same_everywhere() {
        assert_eq!(neutral(datetime!(2025-11-30 23:53 -5)), "1 Dec 2025, 04:53 UTC");
    }
}
