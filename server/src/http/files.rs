use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use tower::ServiceExt;

use super::State;

/// The file of the built page at this address, if there is one.
pub async fn find(state: &State, request: &Parts) -> Option<Response> {
    let path = request.uri.path();
    // a folder is no file, and neither is what the build notes for itself
    if !matches!(request.method, Method::GET | Method::HEAD) || path.ends_with('/') {
        return None;
    }
    let mut asked = Request::builder().method(&request.method).uri(&request.uri);
    for name in [header::ACCEPT_ENCODING, header::IF_MODIFIED_SINCE, header::IF_UNMODIFIED_SINCE, header::RANGE] {
        if let Some(value) = request.headers.get(&name) {
            asked = asked.header(name, value);
        }
    }
    let mut response = state.files().oneshot(asked.body(Body::empty()).ok()?).await.ok()?.into_response();
    if matches!(
        response.status(),
        StatusCode::NOT_FOUND | StatusCode::TEMPORARY_REDIRECT | StatusCode::METHOD_NOT_ALLOWED
    ) {
        return None;
    }
    let keep = keep(path, state.options().hash_files);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    Some(response)
}

/// Whether an address is one of a file: then what is missing is missing, and no page is shown in its place.
pub fn is_of_a_file(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or("");
    path.starts_with("/pkg/")
        || path.starts_with("/fonts/")
        || matches!(last.rsplit_once('.'), Some((_, kind)) if KINDS.contains(&kind))
}

const KINDS: [&str; 12] =
    ["js", "mjs", "css", "wasm", "map", "svg", "png", "ico", "woff2", "txt", "json", "webmanifest"];

/// How long browsers keep it: what has a hash in its name for good, what the next build changes under the same name not unasked.
fn keep(path: &str, hashed: bool) -> &'static str {
    let name = path.strip_prefix("/pkg/").unwrap_or("");
    if hashed && name.split('.').count() >= 3 {
        "public, max-age=31536000, immutable"
    } else if path.starts_with("/pkg/") {
        "no-cache"
    } else {
        "public, max-age=86400"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hashed_names_are_kept_for_good() {
        assert!(keep("/pkg/confab.a1b2.js", true).contains("immutable"));
        assert_eq!(keep("/pkg/confab.js", true), "no-cache");
        assert_eq!(keep("/pkg/confab.a1b2.js", false), "no-cache");
        assert_eq!(keep("/favicon.svg", true), "public, max-age=86400");
    }

    #[test]
    fn addresses_of_files_are_told_from_those_of_pages() {
        for (path, file) in [
            ("/pkg/old.aaaa.js", true),
            ("/pkg/anything", true),
            ("/missing.png", true),
            ("/p/site/plans/version-1.2", false),
            ("/p/site", false),
            ("/", false),
        ] {
            assert_eq!(is_of_a_file(path), file, "{path}");
        }
    }
}
