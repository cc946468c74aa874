//! When the process is asked to end.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Hears SIGTERM and SIGINT from the moment it is made.
pub struct Asked {
    terminate: Signal,
    interrupt: Signal,
}

impl Asked {
    /// # Errors
    /// When the system does not let us hear signals.
    pub fn listen() -> Result<Asked, String> {
        let hear = |kind| signal(kind).map_err(|error| format!("Signals cannot be heard: {error}."));
        Ok(Asked { terminate: hear(SignalKind::terminate())?, interrupt: hear(SignalKind::interrupt())? })
    }

    /// Ends when the process is asked to end. Asked again, it is asked again.
    pub async fn ending(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
