//! When to try again.

use super::ProviderError;
use super::failure::Failure;
use reqwest::header::HeaderMap;
use std::time::{Duration, SystemTime};

/// How often and how long a call is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy {
    /// Attempts in all.
    pub attempts: u32,
    /// The longest pause before one.
    pub longest_wait: Duration,
}

impl Policy {
    /// The pause after the attempt with this number, from 1; or the error to end with.
    pub fn after(self, attempt: u32, failure: Failure, jitter: f64) -> Result<Duration, ProviderError> {
        if !failure.retry || attempt >= self.attempts || failure.hint.is_some_and(|hint| hint > self.longest_wait) {
            return Err(with_hint(failure.error, failure.hint));
        }
        let jitter = jitter.clamp(0.0, 1.0);
        Ok(match failure.hint {
            // never before the hint; a little after it, so that those who were refused together do not come back together
            Some(hint) => hint + hint.mul_f64(0.1 * jitter),
            None => {
                let full = Duration::from_secs(1 << (attempt - 1).min(10));
                full.mul_f64(0.5 + 0.5 * jitter).min(self.longest_wait)
            }
        })
    }
}

fn with_hint(error: ProviderError, retry_after: Option<Duration>) -> ProviderError {
    match error {
        ProviderError::RateLimited { .. } => ProviderError::RateLimited { retry_after },
        ProviderError::Overloaded { detail, .. } => ProviderError::Overloaded { detail, retry_after },
        other => other,
    }
}

/// The wait that an answer asks for: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date. A date in the past is 0; what
/// cannot be read is no hint.
pub(super) fn hint(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |text: &str, unit: f64| {
        let number: f64 = text.parse().ok()?;
        Duration::try_from_secs_f64(number * unit).ok()
    };
    value("retry-after-ms").and_then(|text| number(text, 0.001)).or_else(|| {
        let text = value("retry-after")?;
        number(text, 1.0).or_else(|| {
            let date = httpdate::parse_http_date(text).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    const POLICY: Policy = Policy { attempts: 4, longest_wait: Duration::from_secs(60) };

    fn limited(hint: Option<u64>) -> Failure {
        let hint = hint.map(Duration::from_secs);
        Failure { hint, ..Failure::passing(ProviderError::RateLimited { retry_after: None }) }
    }

    #[test]
    fn hints() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_445_412_475); // Wed, 21 Oct 2015 07:27:55 GMT
        let cases = [
            ("retry-after", "3", Some(3000)),
            ("retry-after", "0", Some(0)),
            ("retry-after", "1.5", Some(1500)),
            ("retry-after", "86400", Some(86_400_000)),
            ("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT", Some(5000)),
            ("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT", Some(0)),
            ("retry-after-ms", "1500", Some(1500)),
            ("retry-after", "-1", None),
            ("retry-after", "soon", None),
            ("retry-after", "NaN", None),
            ("retry-after", "1e300", None),
        ];
        for (name, text, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(text));
            assert_eq!(hint(&headers, now), expected.map(Duration::from_millis), "{name}: {text}");
        }
        let mut both = HeaderMap::new();
        both.insert("retry-after", HeaderValue::from_static("9"));
        both.insert("retry-after-ms", HeaderValue::from_static("1500"));
        assert_eq!(hint(&both, now), Some(Duration::from_millis(1500)));
        assert_eq!(hint(&HeaderMap::new(), now), None);
    }

    #[test]
    fn a_hint_is_never_undercut() {
        for jitter in [0.0, 0.5, 1.0] {
            let pause = POLICY.after(1, limited(Some(3)), jitter).expect("a pause");
            assert!((3.0..=3.3).contains(&pause.as_secs_f64()), "{pause:?}");
        }
        assert_eq!(POLICY.after(1, limited(Some(0)), 1.0), Ok(Duration::ZERO));
    }

    #[test]
    fn pauses_without_a_hint_grow_and_vary() {
        let pause = |attempt, jitter| POLICY.after(attempt, limited(None), jitter).expect("a pause").as_millis();
        assert_eq!([pause(1, 0.0), pause(1, 1.0)], [500, 1000]);
        assert_eq!([pause(2, 0.0), pause(2, 1.0)], [1000, 2000]);
        assert_eq!([pause(3, 0.0), pause(3, 1.0)], [2000, 4000]);
    }

    #[test]
    fn a_call_ends_after_its_attempts_and_at_a_hint_that_is_too_long() {
        assert_eq!(POLICY.after(4, limited(None), 0.0), Err(ProviderError::RateLimited { retry_after: None }));
        let day = Some(Duration::from_secs(86_400));
        let error = POLICY.after(1, limited(Some(86_400)), 0.0).expect_err("too long");
        assert_eq!(error, ProviderError::RateLimited { retry_after: day });
        assert!(error.to_string().contains("24 hours"), "{error}");
        let refused = Failure::final_(ProviderError::Refused { status: 400, detail: String::new() });
        assert!(POLICY.after(1, refused, 0.0).is_err());
    }
}
