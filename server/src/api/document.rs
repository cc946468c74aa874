//! The document that describes the API: made of the handlers themselves, with what holds for all of them added here.

use utoipa::openapi::{
    Components, Content, InfoBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, ResponseBuilder,
    path::{Operation, PathItem},
    schema::Schema,
    security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
};
use utoipa::{PartialSchema, ToSchema};
use wire::error::Problem;

use crate::http::session::COOKIE;

/// What stands before the calls.
pub fn frame() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Confab")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Planning in chats. Ids are UUIDs, times RFC 3339 in UTC. Whoever signs in by cookie must send an `Origin` of this server on \
             anything that changes state; whoever sends a token need not. Lists take `limit`, `before` and `after`. Unknown fields of \
             a body are refused. What is not yours to see is not found.",
        ))
        .build();
    let mut components = Components::new();
    let token = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("A personal access token")).build();
    components.add_security_scheme("token", SecurityScheme::Http(token));
    components.add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(COOKIE))));
    let one_of = |name: &str| SecurityRequirement::new(name.to_owned(), Vec::<String>::new());
    OpenApiBuilder::new()
        .info(info)
        .components(Some(components))
        .security(Some([one_of("token"), one_of("session")]))
        .build()
}

/// Adds what other rooms describe, and to every call how it refuses; gives the document as JSON.
pub fn finish(mut document: OpenApi, other: OpenApi) -> String {
    document.merge(other);
    if let Some(components) = &mut document.components {
        let problem: RefOr<Schema> = Problem::schema();
        components.schemas.insert(Problem::name().into_owned(), problem);
    }
    for item in document.paths.paths.values_mut() {
        for operation in operations(item) {
            let refusal = ResponseBuilder::new()
                .description("A refusal: a sentence that says what was wrong and what to do, and a stable code")
                .content("application/problem+json", Content::new(Some(Ref::from_schema_name(Problem::name()))))
                .build();
            operation.responses.responses.insert("default".to_owned(), refusal.into());
        }
    }
    document.to_json().unwrap_or_default()
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch].into_iter().flatten()
}
