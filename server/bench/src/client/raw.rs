//! A GET over and over on one connection, by hand: so that the measuring client costs as little as it can beside the server it measures.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::result::Result;

/// GETs a second of `url` (http, with a port) on so many connections.
pub async fn gets_a_second(url: &str, headers: &str, connections: usize, length: Duration) -> Result<f64> {
    let (host, path) = url
        .strip_prefix("http://")
        .and_then(|rest| rest.split_once('/'))
        .ok_or("the address of a GET has a host and a path")?;
    let request = format!("GET /{path} HTTP/1.1\r\nhost: {host}\r\n{headers}\r\n");
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..connections {
        tasks.spawn(count(host.to_owned(), request.clone(), start + length));
    }
    let mut total = 0;
    while let Some(count) = tasks.join_next().await {
        total += count??;
    }
    Ok(f64::from(total) / start.elapsed().as_secs_f64())
}

async fn count(host: String, request: String, end: Instant) -> Result<u32> {
    let mut connection = TcpStream::connect(host).await?;
    connection.set_nodelay(true)?;
    let mut bytes = Vec::with_capacity(64 << 10);
    let mut count = 0;
    while Instant::now() < end {
        connection.write_all(request.as_bytes()).await?;
        answer(&mut connection, &mut bytes).await?;
        count += 1;
    }
    Ok(count)
}

/// Reads one whole answer; refuses what is not 200.
async fn answer(connection: &mut TcpStream, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.clear();
    let (head, length) = loop {
        if let Some(end) = find(bytes, b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            if !head.starts_with("http/1.1 200") {
                return Err(format!("a GET was answered: {}", head.lines().next().unwrap_or_default()).into());
            }
            let length =
                head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
            break (end + 4, length);
        }
        if connection.read_buf(bytes).await? == 0 {
            return Err("the connection ended in a head".into());
        }
    };
    let whole = |bytes: &[u8]| match length {
        Some(length) => bytes.len() >= head + length,
        None => bytes[head..].ends_with(b"0\r\n\r\n"),
    };
    while !whole(bytes) {
        if connection.read_buf(bytes).await? == 0 {
            return Err("the connection ended in a body".into());
        }
    }
    Ok(())
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
