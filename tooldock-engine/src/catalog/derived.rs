//! Values computed from a catalog and kept with it.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    hash::Hash,
    sync::{Arc, PoisonError, RwLock},
};

type Slot = Box<dyn Any + Send + Sync>;

/// The types of a key and of its value.
type Kind = (TypeId, TypeId);

/// One map from keys to shared values for each kind. There are about ten kinds: to look them through takes less time than to hash one.
#[derive(Default)]
pub(super) struct Derived(RwLock<Vec<(Kind, Slot)>>);

/// Shared values by their keys, which no caller makes up.
type Values<K, V> = HashMap<K, Arc<V>, foldhash::fast::RandomState>;

impl Derived {
    pub(super) fn get<K, V>(&self, key: K, make: impl FnOnce() -> V) -> Arc<V>
    where
        K: Eq + Hash + Send + Sync + 'static,
        V: Send + Sync + 'static,
    {
        let kind = (TypeId::of::<K>(), TypeId::of::<V>());
        {
            let slots = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let slot = slots.iter().find(|slot| slot.0 == kind);
            let values = slot.and_then(|slot| slot.1.downcast_ref::<Values<K, V>>());
            if let Some(value) = values.and_then(|values| values.get(&key)) {
                return value.clone();
            }
        }
        // Made without the lock: `make` may be slow, and may derive something else.
        let value = Arc::new(make());
        let mut slots = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let place = slots.iter().position(|slot| slot.0 == kind).unwrap_or_else(|| {
            slots.push((kind, Box::new(Values::<K, V>::default())));
            slots.len() - 1
        });
        match slots[place].1.downcast_mut::<Values<K, V>>() {
            Some(values) => values.entry(key).or_insert(value).clone(),
            None => value,
        }
    }
}
