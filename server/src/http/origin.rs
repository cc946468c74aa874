//! Requests that change something and carry a session cookie must come from a page of ours.

use axum::{
    extract::Request,
    http::{HeaderMap, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{refusal::Refusal, session};

/// Refuses what another site made a browser send: `Origin` must name our own `Host`. Without one, a cookie is not enough; a token, which
/// no browser adds by itself, is.
pub async fn check(request: Request, next: Next) -> Response {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if safe || is_ours(request.headers(), request.uri()) {
        return next.run(request).await;
    }
    Refusal::new(
        StatusCode::FORBIDDEN,
        "foreign_origin",
        "This request does not come from a page of this server: its Origin must be this server's own address.",
    )
    .into_response()
}

fn is_ours(headers: &HeaderMap, uri: &Uri) -> bool {
    if headers.contains_key(header::AUTHORIZATION) {
        return true;
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return !session::is_named(headers) };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).or(uri.authority().map(|it| it.as_str()));
    match (origin.to_str().ok().and_then(authority), host) {
        (Some((scheme, origin)), Some(host)) => {
            with_port(scheme, origin).eq_ignore_ascii_case(&with_port(scheme, host))
        }
        _ => false,
    }
}

/// Scheme and authority of an origin; `null` and what is not http has none.
fn authority(origin: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = origin.split_once("://")?;
    (matches!(scheme, "http" | "https") && !rest.is_empty() && !rest.contains(['/', '?', '#', '@']))
        .then_some((scheme, rest))
}

fn with_port(scheme: &str, host: &str) -> String {
    let port =
        host.rsplit_once(':').is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()));
    match (port, scheme) {
        (true, _) => host.to_owned(),
        (false, "https") => format!("{host}:443"),
        (false, _) => format!("{host}:80"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(set: &[(&'static str, &str)]) -> bool {
        let headers = set.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        is_ours(&headers, &Uri::from_static("/api/v1/session"))
    }

    #[test]
    fn a_cookie_needs_our_own_origin_and_a_token_needs_none() {
        let cookie = ("cookie", "theme=dark; confab_session=abc");
        for (set, expected) in [
            (vec![("host", "h:3000"), cookie], false),
            (vec![("host", "h:3000"), ("cookie", "theme=dark")], true),
            (vec![("host", "h:3000")], true),
            (vec![("host", "h:3000"), cookie, ("origin", "http://h:3000")], true),
            (vec![("host", "H:3000"), cookie, ("origin", "http://h:3000")], true),
            (vec![("host", "h:3000"), cookie, ("origin", "http://h:3001")], false),
            (vec![("host", "h:3000"), cookie, ("origin", "http://evil")], false),
            (vec![("host", "h:3000"), ("origin", "http://evil")], false),
            (vec![("host", "h"), cookie, ("origin", "https://h")], true),
            (vec![("host", "h:443"), cookie, ("origin", "https://h")], true),
            (vec![("host", "h"), cookie, ("origin", "http://h:80")], true),
            (vec![("host", "h"), cookie, ("origin", "https://h:444")], false),
            (vec![("host", "[::1]:3000"), cookie, ("origin", "http://[::1]:3000")], true),
            (vec![("host", "[::1]"), cookie, ("origin", "http://[::1]")], true),
            (vec![("host", "h"), cookie, ("origin", "null")], false),
            (vec![("host", "h"), cookie, ("origin", "http://h@evil")], false),
            (vec![("host", "h"), cookie, ("origin", "http://h.evil")], false),
            (vec![cookie, ("origin", "http://h")], false),
            (vec![("host", "h"), cookie, ("authorization", "Bearer x")], true),
        ] {
            assert_eq!(ours(&set), expected, "{set:?}");
        }
    }
}
