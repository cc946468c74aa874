use std::{collections::HashMap, fmt::Display, ops::RangeInclusive, str::FromStr};

use toml::de::{DeTable, DeValue};

/// One thing that can be configured.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// In the file and, where there is one, of the flag.
    pub name: &'static str,
    pub variable: &'static str,
    pub about: &'static str,
}

const fn key(name: &'static str, variable: &'static str, about: &'static str) -> Key {
    Key { name, variable, about }
}

/// Everything that can be configured.
pub const KEYS: [Key; 17] = [
    key("listen", "LEPTOS_SITE_ADDR", "address and port to listen on; 127.0.0.1:3000"),
    key("site_root", "LEPTOS_SITE_ROOT", "folder of the built page; beside the program, or target/site"),
    key("database_url", "DATABASE_URL", "a Postgres to use; absent: a private one in the data folder"),
    key("data", "CONFAB_DATA", "folder of the private Postgres, workspaces and attachments; ./var"),
    key("provider", "CONFAB_PROVIDER", "anthropic, openai or demo; absent: the one whose key is set, else demo"),
    key("base_url", "CONFAB_BASE_URL", "address of the provider, the part before /v1"),
    key("model", "CONFAB_MODEL", "the model to use"),
    key("api_key", "CONFAB_API_KEY", "key of the provider; goes before the two below"),
    key("anthropic_api_key", "ANTHROPIC_API_KEY", "key for anthropic"),
    key("openai_api_key", "OPENAI_API_KEY", "key for openai"),
    key("connections", "CONFAB_CONNECTIONS", "most connections to Postgres; 20"),
    key("turns", "CONFAB_TURNS", "turns that run side by side; 64"),
    key("iterations", "CONFAB_ITERATIONS", "iterations after which a turn ends and says so; 30"),
    key("silence_seconds", "CONFAB_SILENCE_SECONDS", "how long a model may be silent; 120"),
    key("behind_proxy", "CONFAB_BEHIND_PROXY", "true: believe X-Forwarded-For, because a proxy of yours sets it"),
    key("tls", "CONFAB_TLS", "true: people come over TLS; cookies are Secure and browsers stay with TLS"),
    key("log", "CONFAB_LOG", "text or json; RUST_LOG says how much"),
];

struct Found {
    key: Key,
    value: String,
    /// How to speak of it: the flag, the variable, or the key of the file.
    origin: String,
}

/// What was set, by whichever way.
pub struct Keys(Vec<Found>);

impl std::fmt::Debug for Keys {
    /// Names only: values may be secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|found| found.key.name)).finish()
    }
}

impl Keys {
    /// Gathers flags (by key), the environment and the file (its name and text). An empty value is as good as none.
    ///
    /// # Errors
    /// When the file is not TOML or holds a key that is not known.
    pub fn read(
        flags: &[(&'static str, String)],
        environment: impl Fn(&str) -> Option<String>,
        file: Option<(&str, &str)>,
    ) -> Result<Keys, String> {
        let table = file.map_or_else(|| Ok(HashMap::new()), |(name, text)| read_file(name, text))?;
        let mut found = Vec::new();
        for key in KEYS {
            let flag = flags.iter().find(|(name, _)| *name == key.name).map(|(_, value)| value.clone());
            let ways = [
                (flag, format!("--{}", key.name.replace('_', "-"))),
                (environment(key.variable), key.variable.to_owned()),
                (table.get(key.name).cloned(), format!("`{}` of the configuration file", key.name)),
            ];
            let set = ways.into_iter().find_map(|(value, origin)| {
                let value = value?.trim().to_owned();
                (!value.is_empty()).then_some((value, origin))
            });
            if let Some((value, origin)) = set {
                found.push(Found { key, value, origin });
            }
        }
        Ok(Keys(found))
    }

    fn find(&self, name: &str) -> Option<&Found> {
        self.0.iter().find(|found| found.key.name == name)
    }

    /// How the person set the key.
    #[must_use]
    pub fn origin(&self, name: &str) -> String {
        self.find(name).map_or_else(|| format!("`{name}`"), |found| found.origin.clone())
    }

    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.find(name).map(|found| found.value.clone())
    }

    /// # Errors
    /// When it is no whole number of the range.
    pub fn number<T>(&self, name: &str, built_in: T, range: RangeInclusive<T>) -> Result<T, String>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(found) = self.find(name) else { return Ok(built_in) };
        found.value.parse().ok().filter(|value| range.contains(value)).ok_or_else(|| {
            format!(
                "{} is `{}`; it must be a whole number from {} to {}.",
                found.origin,
                found.value,
                range.start(),
                range.end()
            )
        })
    }

    /// # Errors
    /// When it is neither `true` nor `false`.
    pub fn switch(&self, name: &str) -> Result<bool, String> {
        let Some(found) = self.find(name) else { return Ok(false) };
        match found.value.as_str() {
            "true" | "1" | "yes" => Ok(true),
            "false" | "0" | "no" => Ok(false),
            other => Err(format!("{} is `{other}`; it must be `true` or `false`.", found.origin)),
        }
    }
}

/// The keys of the file, with their values as the environment would give them.
fn read_file(name: &str, text: &str) -> Result<HashMap<String, String>, String> {
    let table =
        DeTable::parse(text).map_err(|error| format!("The configuration file {name} cannot be read: {error}"))?;
    let mut values = HashMap::new();
    for (key, value) in table.into_inner() {
        let key = key.into_inner().into_owned();
        if KEYS.iter().all(|known| known.name != key) {
            let known: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
            return Err(format!(
                "The configuration file {name} holds the key `{key}`, which is not known. Known are {}.",
                known.join(", ")
            ));
        }
        let value = match value.into_inner() {
            DeValue::String(text) => text.into_owned(),
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::Boolean(switch) => switch.to_string(),
            other => {
                return Err(format!(
                    "The configuration file {name} has {} for `{key}`; it must be a text, a whole number, true or false.",
                    other.type_str()
                ));
            }
        };
        values.insert(key, value);
    }
    Ok(values)
}
