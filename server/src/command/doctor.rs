use std::path::Path;

use engine::ProviderKind;

use super::open::open;
use crate::{
    config::{Config, Database},
    telemetry,
};

/// Looks at everything the installation needs, says what is there and what to do about the rest.
///
/// # Errors
/// When something is missing that nothing works without.
pub async fn doctor(config: Config) -> Result<(), String> {
    telemetry::log(config.log, true);
    let mut broken = 0;
    let mut say = |name: &str, state: Result<String, String>| match state {
        Ok(fine) => println!("ok      {name}: {fine}"),
        Err(fault) => {
            broken += 1;
            println!("BROKEN  {name}: {fault}");
        }
    };
    say("data folder", writable(&config.data));
    let kind = match &config.database {
        Database::Given(_) => "the one that DATABASE_URL names",
        Database::Private => "a private one in the data folder",
    };
    let postgres = match open(&config).await {
        Ok(opened) => {
            opened.close().await;
            Ok(format!("{kind}; the schema is up to date"))
        }
        Err(fault) => Err(fault),
    };
    say("Postgres", postgres);
    say("page", page(&config));
    say("model", model(&config));
    if broken == 0 { Ok(()) } else { Err(format!("{broken} of the above must be mended before all works.")) }
}

fn writable(data: &Path) -> Result<String, String> {
    let probe = data.join(".doctor");
    std::fs::create_dir_all(data)
        .and_then(|()| std::fs::write(&probe, "x"))
        .and_then(|()| std::fs::remove_file(&probe))
        .map(|()| data.display().to_string())
        .map_err(|error| format!("{} cannot be written: {error}. Set CONFAB_DATA.", data.display()))
}

fn page(config: &Config) -> Result<String, String> {
    let root = &config.site.root;
    if root.join("pkg").is_dir() {
        let names = if config.site.hashed { "names with hashes" } else { "plain names" };
        Ok(format!("{} ({names})", root.display()))
    } else {
        Err(format!(
            "no built page in {}. Build it with `cargo leptos build`, or set LEPTOS_SITE_ROOT.",
            root.display()
        ))
    }
}

fn model(config: &Config) -> Result<String, String> {
    let model = &config.model;
    let name = model.model.as_deref().unwrap_or("its default model");
    match (model.provider, &model.key, &model.base_url) {
        (ProviderKind::Demo, ..) => {
            Ok("the built-in demonstration; set ANTHROPIC_API_KEY or OPENAI_API_KEY for a real one".to_owned())
        }
        (provider, None, None) => Err(format!(
            "{provider:?} is chosen and there is no key. Set CONFAB_API_KEY or the provider's own variable."
        )),
        (provider, _, base) => Ok(format!("{provider:?}, {name}, at {}", base.as_deref().unwrap_or("its own address"))),
    }
}
