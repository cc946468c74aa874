use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::{HashedStylesheet, MetaTags};

use super::app::App;
use crate::{request_cookies, state::theme::Theme};

/// What must stand before WebAssembly does and only the browser knows: the width that the person gave the drawer, and that a chat is
/// read from its newest words.
const BEFORE_PAINT: &str = "try{var w=localStorage.getItem('confab.drawer.width');\
if(/^\\d+(\\.\\d+)?$/.test(w)&&w>=420&&w<=3600)document.documentElement.style.setProperty('--drawer-preference',w+'px')}catch(e){}\
addEventListener('DOMContentLoaded',function(){var t=document.getElementById('transcript');\
if(t&&!location.hash.startsWith('#turn-'))t.scrollTop=t.scrollHeight})";

/// The HTML document around [`App`].
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let theme = Some(Theme::of_cookies(&request_cookies())).filter(|theme| *theme != Theme::System).map(Theme::name);
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link
                    rel="preload"
                    href="/fonts/inter-latin.woff2"
                    r#as="font"
                    r#type="font/woff2"
                    crossorigin="anonymous"
                />
                <HashedStylesheet options=options.clone() id="leptos" />
                <script nonce=use_nonce()>{BEFORE_PAINT}</script>
                <AutoReload options=options.clone() />
                <HydrationScripts options />
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}
