use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::ConnectInfo,
    http::{Extensions, HeaderMap},
};

/// Where a request comes from. `X-Forwarded-For` counts only behind a proxy of ours, and of it only what that proxy added: the last.
pub fn of_request(headers: &HeaderMap, extensions: &Extensions, behind_proxy: bool) -> Option<String> {
    let forwarded = behind_proxy.then(|| {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        last.to_str().ok()?.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
    });
    let peer = || extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    forwarded.flatten().or_else(peer).map(|address| address.to_canonical().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_our_own_proxy_says_counts() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "6.6.6.6, 203.0.113.9".parse().unwrap());
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 9))));
        assert_eq!(of_request(&headers, &extensions, true).as_deref(), Some("203.0.113.9"));
        assert_eq!(of_request(&headers, &extensions, false).as_deref(), Some("127.0.0.1"));
        headers.insert("x-forwarded-for", "unknown".parse().unwrap());
        assert_eq!(of_request(&headers, &extensions, true).as_deref(), Some("127.0.0.1"));
    }
}
