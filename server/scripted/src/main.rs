//! `scripted [--listen ADDRESS]`: the scripted provider as a process. Prints its base URL on the first line.

use scripted::Scripted;
use std::io;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let address = match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => "127.0.0.1:0".to_owned(),
        (Some("--listen"), Some(address)) => address,
        _ => return Err(io::Error::new(io::ErrorKind::InvalidInput, "usage: scripted [--listen ADDRESS]")),
    };
    let server = Scripted::listen(TcpListener::bind(&address).await?)?;
    println!("{}", server.url());
    server.serve().await;
    Ok(())
}
