use futures::FutureExt;
use futures::future::BoxFuture;
use uuid::Uuid;

use super::claim::Place;
use crate::Engine;
use crate::store::workspace;
use crate::tool::{Related, RelatedRecord};

/// The records around the one that a turn's chat is about.
pub(super) struct RecordsAround {
    engine: Engine,
    project_id: Uuid,
    record_id: Option<Uuid>,
}

impl RecordsAround {
    pub fn of(engine: &Engine, place: &Place) -> RecordsAround {
        RecordsAround { engine: engine.clone(), project_id: place.project_id, record_id: place.record_id }
    }
}

impl Related for RecordsAround {
    fn related(&self, query: Option<String>) -> BoxFuture<'_, std::result::Result<Vec<RelatedRecord>, String>> {
        let query = query.filter(|query| !query.trim().is_empty());
        async move {
            let found = async {
                let mut connection = self.engine.pool().acquire().await?;
                workspace::related(&mut connection, self.project_id, self.record_id, query.as_deref()).await
            };
            found.await.map_err(|error| error.to_string())
        }
        .boxed()
    }
}
