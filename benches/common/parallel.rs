//! Two threads for independent tasks; each task has a seed of its own, so the numbers do not depend on the order.

use std::sync::Mutex;
use std::thread;

const THREADS: usize = 2;

/// The results of all tasks, in their order. The last tasks are begun first: let them be the long ones.
pub fn all<T: Send, F: FnOnce() -> T + Send>(tasks: Vec<F>) -> Vec<T> {
    let waiting: Mutex<Vec<(usize, F)>> = Mutex::new(tasks.into_iter().enumerate().collect());
    let results = Mutex::new(Vec::new());
    // no task panics while it holds a lock
    let next = || waiting.lock().map_or(None, |mut waiting| waiting.pop());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((index, task)) = next() {
                    let result = task();
                    if let Ok(mut results) = results.lock() {
                        results.push((index, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
