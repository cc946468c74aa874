use std::time::Duration;

use reqwest::Client;

use crate::result::Result;

/// A client that keeps its connections, as a browser does.
pub fn client() -> Result<Client> {
    Ok(builder().build()?)
}

/// A client whose every request is a new connection.
pub fn fresh() -> Result<Client> {
    Ok(builder().pool_max_idle_per_host(0).build()?)
}

fn builder() -> reqwest::ClientBuilder {
    Client::builder()
        .no_proxy()
        .tls_certs_only([])
        .tcp_nodelay(true)
        .connect_timeout(Duration::from_secs(10))
        .redirect(reqwest::redirect::Policy::limited(5))
}
