//! Work on a list in two threads.

use std::panic::resume_unwind;
use std::thread;

/// What comes of each item, in their order: the first half of them in this thread, the others in another, where there is one.
pub fn in_halves<T: Sync, U: Send>(items: &[T], of: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let all_of = |items: &[T]| items.iter().map(&of).collect::<Vec<U>>();
    if items.len() < 2 {
        return all_of(items);
    }
    let (first, second) = items.split_at(items.len().div_ceil(2));
    thread::scope(|scope| {
        let second = thread::Builder::new().spawn_scoped(scope, || all_of(second));
        let mut all = all_of(first);
        all.extend(match second {
            Ok(second) => second.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // there is no other thread
            Err(_) => all_of(&items[all.len()..]),
        });
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_of_each_item_stands_in_their_order() {
        for count in 0..6 {
            let items: Vec<u32> = (0..count).collect();
            assert_eq!(in_halves(&items, |item| item * item), items.iter().map(|item| item * item).collect::<Vec<_>>());
        }
    }
}
