//! Light or dark: by system, unless a person chose. The choice is a cookie, so that the server draws the page right.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// The cookie's name; its value is `light` or `dark`.
pub const COOKIE: &str = "theme";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Theme {
        match name {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::System,
        }
    }

    /// The choice that a request's cookies hold.
    #[must_use]
    pub fn of_cookies(cookies: &str) -> Theme {
        cookies
            .split(';')
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find(|(name, _)| *name == COOKIE)
            .map_or(Theme::System, |(_, value)| Theme::parse(value))
    }

    /// The choice that the page shows. Asks the browser.
    #[must_use]
    pub fn chosen() -> Theme {
        let root = document().document_element();
        root.and_then(|root| root.get_attribute("data-theme")).map_or(Theme::System, |name| Theme::parse(&name))
    }

    /// Shows the theme, and keeps it for the next page.
    pub fn choose(self) {
        let Some(root) = document().document_element() else { return };
        let age = match self {
            Theme::System => {
                let _ = root.remove_attribute("data-theme");
                0
            }
            Theme::Light | Theme::Dark => {
                let _ = root.set_attribute("data-theme", self.name());
                31_536_000
            }
        };
        let cookie = format!("{COOKIE}={}; path=/; max-age={age}; samesite=lax", self.name());
        let _ = js_sys::Reflect::set(&document(), &JsValue::from_str("cookie"), &JsValue::from_str(&cookie));
    }

    /// The other of light and dark than what is seen now. Asks the browser.
    #[must_use]
    pub fn other() -> Theme {
        let dark = match Theme::chosen() {
            Theme::Dark => true,
            Theme::Light => false,
            Theme::System => {
                window().match_media("(prefers-color-scheme: dark)").ok().flatten().is_some_and(|query| query.matches())
            }
        };
        if dark { Theme::Light } else { Theme::Dark }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_found_among_cookies() {
        assert_eq!(Theme::of_cookies("id=abc; theme=dark"), Theme::Dark);
        assert_eq!(Theme::of_cookies("theme=light"), Theme::Light);
        assert_eq!(Theme::of_cookies("xtheme=dark; theme=nonsense"), Theme::System);
        assert_eq!(Theme::of_cookies(""), Theme::System);
    }
}
