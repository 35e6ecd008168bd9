//! Values computed from a catalog and kept with it.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    hash::Hash,
    sync::{Arc, PoisonError, RwLock},
};

type Slot = Box<dyn Any + Send + Sync>;

/// One map from keys to shared values for each pair of key type and value type.
#[derive(Default)]
pub(super) struct Derived(RwLock<HashMap<(TypeId, TypeId), Slot>>);

impl Derived {
    pub(super) fn get<K, V>(&self, key: K, make: impl FnOnce() -> V) -> Arc<V>
    where
        K: Eq + Hash + Send + Sync + 'static,
        V: Send + Sync + 'static,
    {
        let kind = (TypeId::of::<K>(), TypeId::of::<V>());
        {
            let slots = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let map = slots
                .get(&kind)
                .and_then(|slot| slot.downcast_ref::<HashMap<K, Arc<V>>>());
            if let Some(value) = map.and_then(|map| map.get(&key)) {
                return value.clone();
            }
        }
        // Made without the lock: `make` may be slow, and may derive something else.
        let value = Arc::new(make());
        let mut slots = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let slot = slots
            .entry(kind)
            .or_insert_with(|| Box::new(HashMap::<K, Arc<V>>::new()));
        match slot.downcast_mut::<HashMap<K, Arc<V>>>() {
            Some(map) => map.entry(key).or_insert(value).clone(),
            None => value,
        }
    }
}
