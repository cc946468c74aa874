use uuid::Uuid;
use wire::event::Banner;

use crate::access::Actor;
use crate::error::Result;
use crate::store::chat;
use crate::{Engine, ProviderKind};

/// What the person should know of the chat's surroundings now, worst first.
///
/// # Errors
/// When the chat is not the actor's to read.
pub async fn banners(engine: &Engine, actor: &Actor, chat_id: Uuid) -> Result<Vec<Banner>> {
    let mut connection = engine.pool().acquire().await?;
    super::readable(&mut connection, actor, chat_id).await?;
    let failure = chat::last_failure(&mut connection, chat_id).await?;
    let mut banners = Vec::new();
    if let Some((code, text)) = failure {
        banners.push(Banner { code, text, href: None, alert: true });
    }
    if engine.config().model.provider == ProviderKind::Demo {
        banners.push(no_model());
    }
    Ok(banners)
}

/// That no model is configured, and how to configure one.
pub(crate) fn no_model() -> Banner {
    Banner {
        code: "no_model".to_owned(),
        text: "No model is configured, so the built-in demo runtime answers: it follows a few plain requests and is no model. To use one, set \
               ANTHROPIC_API_KEY or OPENAI_API_KEY, or CONFAB_PROVIDER with CONFAB_BASE_URL, and start Confab again."
            .to_owned(),
        href: None,
        alert: false,
    }
}
