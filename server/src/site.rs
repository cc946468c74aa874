//! Where the built page lies, so that the binary serves it from any working folder.

use std::{
    env,
    net::{AddrParseError, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
};

use leptos::config::{Env, LeptosOptions};

/// The options of the page: `LEPTOS_SITE_ADDR`, `LEPTOS_SITE_ROOT` and `LEPTOS_ENV` as cargo-leptos sets them.
///
/// Without `LEPTOS_SITE_ROOT` the folder `site` beside the binary's folder is taken (`target/site` for
/// `target/release/confab`), or beside the binary itself (an installed copy).
pub fn options() -> Result<LeptosOptions, AddrParseError> {
    let address: SocketAddr = env::var("LEPTOS_SITE_ADDR").unwrap_or_else(|_| "127.0.0.1:3000".to_owned()).parse()?;
    let root = env::var("LEPTOS_SITE_ROOT").map_or_else(|_| beside_the_binary(), PathBuf::from);
    let env = match env::var("LEPTOS_ENV").as_deref() {
        Ok(name) if name.eq_ignore_ascii_case("prod") || name.eq_ignore_ascii_case("production") => Env::PROD,
        _ => Env::DEV,
    };
    Ok(LeptosOptions::builder()
        .output_name("confab")
        .site_root(Arc::<str>::from(root.to_string_lossy()))
        .site_addr(address)
        .env(env)
        .build())
}

fn beside_the_binary() -> PathBuf {
    let binary = env::current_exe().unwrap_or_default();
    let folders = binary.ancestors().skip(1).take(2).map(|folder| folder.join("site"));
    folders.into_iter().find(|site| site.is_dir()).unwrap_or_else(|| Path::new("target/site").to_owned())
}
