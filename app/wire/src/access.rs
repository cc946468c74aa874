//! Scopes and the built-in roles that hold them.

use serde::{Deserialize, Serialize};

/// One thing that a person may be allowed to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Scope {
    #[serde(rename = "records.read")]
    RecordsRead,
    #[serde(rename = "ask.use")]
    AskUse,
    #[serde(rename = "chat.use")]
    ChatUse,
    #[serde(rename = "conversations.manage.own")]
    ConversationsManageOwn,
    #[serde(rename = "initiatives.manage")]
    InitiativesManage,
    #[serde(rename = "plans.manage")]
    PlansManage,
    #[serde(rename = "bugs.manage")]
    BugsManage,
    #[serde(rename = "flows.run")]
    FlowsRun,
    #[serde(rename = "conversations.read.any")]
    ConversationsReadAny,
    #[serde(rename = "chat.background.manage")]
    ChatBackgroundManage,
    #[serde(rename = "mcp.manage")]
    McpManage,
    #[serde(rename = "skills.manage")]
    SkillsManage,
    #[serde(rename = "sandbox.manage")]
    SandboxManage,
    #[serde(rename = "models.manage")]
    ModelsManage,
    #[serde(rename = "agents.manage")]
    AgentsManage,
    #[serde(rename = "members.manage")]
    MembersManage,
    #[serde(rename = "organisation.manage")]
    OrganisationManage,
}

impl Scope {
    /// Every scope, in the order of the roles table.
    pub const ALL: [Scope; 17] = [
        Scope::RecordsRead,
        Scope::AskUse,
        Scope::ChatUse,
        Scope::ConversationsManageOwn,
        Scope::InitiativesManage,
        Scope::PlansManage,
        Scope::BugsManage,
        Scope::FlowsRun,
        Scope::ConversationsReadAny,
        Scope::ChatBackgroundManage,
        Scope::McpManage,
        Scope::SkillsManage,
        Scope::SandboxManage,
        Scope::ModelsManage,
        Scope::AgentsManage,
        Scope::MembersManage,
        Scope::OrganisationManage,
    ];

    /// The name that tokens, tables and the API use, such as `records.read`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scope::RecordsRead => "records.read",
            Scope::AskUse => "ask.use",
            Scope::ChatUse => "chat.use",
            Scope::ConversationsManageOwn => "conversations.manage.own",
            Scope::InitiativesManage => "initiatives.manage",
            Scope::PlansManage => "plans.manage",
            Scope::BugsManage => "bugs.manage",
            Scope::FlowsRun => "flows.run",
            Scope::ConversationsReadAny => "conversations.read.any",
            Scope::ChatBackgroundManage => "chat.background.manage",
            Scope::McpManage => "mcp.manage",
            Scope::SkillsManage => "skills.manage",
            Scope::SandboxManage => "sandbox.manage",
            Scope::ModelsManage => "models.manage",
            Scope::AgentsManage => "agents.manage",
            Scope::MembersManage => "members.manage",
            Scope::OrganisationManage => "organisation.manage",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// A built-in role; each one holds all that the one before it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Viewer,
    Member,
    Lead,
    Admin,
    Owner,
}

impl Role {
    pub const ALL: [Role; 5] = [Role::Viewer, Role::Member, Role::Lead, Role::Admin, Role::Owner];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::Viewer => "viewer",
            Role::Member => "member",
            Role::Lead => "lead",
            Role::Admin => "admin",
            Role::Owner => "owner",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The scopes of the role, from the table of `1-records`.
    #[must_use]
    pub const fn scopes(self) -> &'static [Scope] {
        let held = match self {
            Role::Viewer => 2,
            Role::Member => 8,
            Role::Lead => 10,
            Role::Admin => 16,
            Role::Owner => 17,
        };
        Scope::ALL.split_at(held).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for scope in Scope::ALL {
            assert_eq!(Scope::parse(scope.name()), Some(scope));
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.name());
        }
        for role in Role::ALL {
            assert_eq!(Role::parse(role.name()), Some(role));
        }
    }

    #[test]
    fn each_role_holds_its_column_of_the_table() {
        assert!(!Role::Viewer.scopes().contains(&Scope::ChatUse));
        assert!(Role::Member.scopes().contains(&Scope::FlowsRun));
        assert!(!Role::Member.scopes().contains(&Scope::ConversationsReadAny));
        assert!(Role::Lead.scopes().contains(&Scope::ChatBackgroundManage));
        assert!(!Role::Lead.scopes().contains(&Scope::McpManage));
        assert!(Role::Admin.scopes().contains(&Scope::MembersManage));
        assert!(!Role::Admin.scopes().contains(&Scope::OrganisationManage));
        assert_eq!(Role::Owner.scopes().len(), Scope::ALL.len());
    }
}
