use std::{io::Write, net::SocketAddr, time::Duration};

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::open::{Opened, open, sentence};
use crate::{config::Config, http, shutdown::Asked, telemetry};

/// How long connections get to finish once we are asked to end.
const GRACE: Duration = Duration::from_secs(10);

/// Serves until it is asked to end; then stops accepting, lets requests and turns come to rest, and stops the Postgres that is ours.
///
/// # Errors
/// A sentence, when it cannot start.
pub async fn serve(config: Config, demo: bool) -> Result<(), String> {
    telemetry::log(config.log, false);
    let figures = telemetry::measure()?;
    let mut asked = Asked::listen()?;
    let listener = listen(config.listen).await?;
    let address = listener.local_addr().map_err(|error| format!("The address cannot be told: {error}."))?;
    let opened = tokio::select! {
        opened = open(&config) => opened?,
        () = asked.ending() => return Ok(()),
    };
    if demo && let Err(error) = engine::demo::seed(&opened.engine).await {
        opened.close().await;
        return Err(sentence(&error));
    }
    http::session::sweep(&opened.engine);
    let closing = CancellationToken::new();
    let state = http::State::new(&config, address, opened.engine.clone(), figures, closing.clone());
    say_where(address, demo);
    let served = run(listener, http::router(state), closing, &mut asked).await;
    close(opened, &mut asked).await;
    served
}

async fn listen(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address).await.map_err(|error| {
        format!("{address} cannot be listened on: {error}. Is Confab running already? Else set LEPTOS_SITE_ADDR to another address.")
    })
}

async fn run(
    listener: TcpListener,
    router: axum::Router,
    closing: CancellationToken,
    asked: &mut Asked,
) -> Result<(), String> {
    // small frames are sent at once
    let listener = listener.tap_io(|connection| {
        let _ = connection.set_nodelay(true);
    });
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let server = axum::serve(listener, service).with_graceful_shutdown(closing.clone().cancelled_owned());
    let mut server = std::pin::pin!(server.into_future());
    tokio::select! {
        ended = &mut server => return ended.map_err(|error| format!("Serving failed: {error}.")),
        () = asked.ending() => {}
    }
    tracing::info!("ending; ask again to end at once");
    // from here on nothing is accepted, and event streams end
    closing.cancel();
    tokio::select! {
        _ = &mut server => {}
        () = tokio::time::sleep(GRACE) => {}
        () = asked.ending() => {}
    }
    Ok(())
}

async fn close(opened: Opened, asked: &mut Asked) {
    let mut closed = std::pin::pin!(opened.close());
    tokio::select! {
        () = &mut closed => {}
        // what was cut off goes on at the next start
        () = asked.ending() => {}
    }
}

fn say_where(address: SocketAddr, demo: bool) {
    let mut text = format!("Confab listens on http://{address}\n");
    if demo {
        text += "Demo accounts: owner@, admin@, lead@, member@ and viewer@demo.test, password confab-demo\n";
    }
    // who started us may not listen any more, which is no reason to end
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
