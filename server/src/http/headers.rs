//! Headers that every answer carries.

use axum::{
    extract::{self, Request},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

use super::State;

const ALWAYS: [(HeaderName, HeaderValue); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"),
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// For all that is not a page: whatever it is, it runs nothing.
const NOTHING_RUNS: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");
const STAY_WITH_TLS: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");

pub async fn add(extract::State(state): extract::State<State>, request: Request, next: Next) -> Response {
    let tls = state.tls() || came_over_tls(&request);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(value);
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(NOTHING_RUNS);
    // what is not said to be kept is a person's own
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if tls {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, STAY_WITH_TLS);
        close_to_plain_http(headers);
    }
    response
}

/// Marks cookies as `Secure`.
fn close_to_plain_http(headers: &mut HeaderMap) {
    let cookies: Vec<HeaderValue> = headers.get_all(header::SET_COOKIE).iter().cloned().collect();
    headers.remove(header::SET_COOKIE);
    for cookie in cookies {
        let text = cookie.to_str().unwrap_or_default();
        let closed = text.split(';').any(|part| part.trim().eq_ignore_ascii_case("secure"));
        let marked = if closed { None } else { HeaderValue::from_str(&format!("{text}; Secure")).ok() };
        headers.append(header::SET_COOKIE, marked.unwrap_or(cookie));
    }
}

/// As the proxy before us says; who lies about it only closes their own cookie to plain HTTP.
fn came_over_tls(request: &Request) -> bool {
    request.headers().get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"))
}

/// The policy of a page whose scripts carry this nonce.
pub fn page_policy(nonce: &str, watched: bool) -> String {
    // cargo-leptos tells the page about new builds over a port of its own
    let reload = if watched { " ws://127.0.0.1:* ws://localhost:*" } else { "" };
    format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data: blob:; font-src 'self'; connect-src 'self'{reload}; object-src 'none'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cookie_is_secure_once() {
        let mut headers = HeaderMap::new();
        headers.append(header::SET_COOKIE, "a=1; HttpOnly".parse().unwrap());
        headers.append(header::SET_COOKIE, "b=2; Secure; HttpOnly".parse().unwrap());
        close_to_plain_http(&mut headers);
        let all: Vec<_> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(all, ["a=1; HttpOnly; Secure", "b=2; Secure; HttpOnly"]);
    }
}
