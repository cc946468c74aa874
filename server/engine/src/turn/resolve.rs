use serde_json::Value;

use crate::config::{ModelConfig, ProviderKind};
use crate::store::turn::Settings;

/// The built-in runtime that drives a provider.
pub(super) const LOOP: &str = "loop";
/// The runtime without a model.
pub(super) const DEMO: &str = "demo";
/// What stands where a model's name stands for a turn of the demo runtime.
pub(super) const DEMO_MODEL: &str = "confab-demo-1";

/// With what a turn runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub runtime: String,
    pub model: String,
}

/// The first that is set wins: agent, project, organisation, installation. Whether it can be had is found when the turn runs.
pub(super) fn resolve(settings: &Settings, installation: &ModelConfig) -> Choice {
    let named = |key: &str, agent: &Option<String>| {
        let set = |value: &Value| value.get(key).and_then(Value::as_str).map(str::to_owned);
        agent
            .clone()
            .or_else(|| set(&settings.project))
            .or_else(|| set(&settings.organisation))
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
    };
    let runtime = named("runtime", &settings.agent_runtime).unwrap_or_else(|| {
        match installation.provider {
            ProviderKind::Demo => DEMO,
            ProviderKind::Anthropic | ProviderKind::OpenAi => LOOP,
        }
        .to_owned()
    });
    let model = match runtime.as_str() {
        DEMO => DEMO_MODEL.to_owned(),
        _ => named("model", &settings.agent_model).unwrap_or_else(|| default_model(installation)),
    };
    Choice { runtime, model }
}

/// The installation's model, or the one that suits its provider.
fn default_model(installation: &ModelConfig) -> String {
    installation.model.clone().unwrap_or_else(|| {
        match installation.provider {
            ProviderKind::Anthropic => "claude-sonnet-5-5",
            ProviderKind::OpenAi => "gpt-6.1-sol",
            ProviderKind::Demo => "none",
        }
        .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn installation(provider: ProviderKind, model: Option<&str>) -> ModelConfig {
        ModelConfig { provider, base_url: None, model: model.map(str::to_owned), key: None }
    }

    fn settings(organisation: Value, project: Value, agent: (Option<&str>, Option<&str>)) -> Settings {
        Settings {
            organisation,
            project,
            agent_runtime: agent.0.map(str::to_owned),
            agent_model: agent.1.map(str::to_owned),
        }
    }

    #[test]
    fn the_nearest_setting_wins() {
        let anthropic = installation(ProviderKind::Anthropic, Some("installed"));
        let choose = |settings: &Settings| {
            let choice = resolve(settings, &anthropic);
            (choice.runtime, choice.model)
        };
        let pair = |runtime: &str, model: &str| (runtime.to_owned(), model.to_owned());
        assert_eq!(choose(&settings(json!({}), json!({}), (None, None))), pair("loop", "installed"));
        assert_eq!(choose(&settings(json!({"model": "o"}), json!({}), (None, None))), pair("loop", "o"));
        assert_eq!(choose(&settings(json!({"model": "o"}), json!({"model": "p"}), (None, None))), pair("loop", "p"));
        assert_eq!(
            choose(&settings(json!({"model": "o"}), json!({"model": "p"}), (None, Some("a")))),
            pair("loop", "a")
        );
        assert_eq!(
            choose(&settings(json!({"runtime": "demo"}), json!({}), (None, Some("a")))),
            pair("demo", DEMO_MODEL)
        );
        assert_eq!(
            choose(&settings(json!({"runtime": "acp", "model": 7}), json!({}), (None, None))),
            pair("acp", "installed")
        );
    }

    #[test]
    fn without_a_model_the_demo_runs() {
        let choice = resolve(&settings(json!({}), json!({}), (None, None)), &installation(ProviderKind::Demo, None));
        assert_eq!(choice, Choice { runtime: DEMO.to_owned(), model: DEMO_MODEL.to_owned() });
    }
}
