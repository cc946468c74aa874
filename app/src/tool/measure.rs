use time::Duration;

/// `12 ms`, `1.4 s`, `3 min 5 s`.
#[must_use]
pub fn duration(duration: Duration) -> String {
    let ms = duration.whole_milliseconds().max(0);
    match ms {
        0..=999 => format!("{ms} ms"),
        1_000..=59_999 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms / 1000 % 60),
    }
}

/// `812 B`, `18 KB`, `2.4 MB`.
#[must_use]
pub fn size(bytes: usize) -> String {
    match bytes {
        0..=999 => format!("{bytes} B"),
        1_000..=999_999 => format!("{} KB", bytes / 1000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_people_say_them() {
        assert_eq!(duration(Duration::milliseconds(12)), "12 ms");
        assert_eq!(duration(Duration::milliseconds(1_449)), "1.4 s");
        assert_eq!(duration(Duration::seconds(185)), "3 min 5 s");
        assert_eq!(duration(Duration::milliseconds(-5)), "0 ms");
    }

    #[test]
    fn sizes_read_as_people_say_them() {
        assert_eq!(size(812), "812 B");
        assert_eq!(size(18_000), "18 KB");
        assert_eq!(size(2_450_000), "2.4 MB");
    }
}
