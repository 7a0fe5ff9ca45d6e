//! The wrapper around everything that depends on the data without noise.

/// A value computed from private data and not protected by noise: for the curator's eyes.
///
/// It has no `Serialize` and no `Display`, and its `Debug` shows nothing, so that it reaches a file, a log or a figure
/// only through a line of code that says [`NonPrivate::reveal`].
///
/// ```compile_fail
/// println!("{}", dpfda_privacy::NonPrivate::new(0.4));
/// ```
#[derive(Clone, Copy)]
pub struct NonPrivate<T>(T);

impl<T> NonPrivate<T> {
    /// Marks a value as private data.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself; whoever calls this takes responsibility for where it goes.
    pub fn reveal(&self) -> &T {
        &self.0
    }

    /// The value itself, unwrapped; see [`NonPrivate::reveal`].
    pub fn into_revealed(self) -> T {
        self.0
    }

    /// What a function makes of the value is private data too.
    #[must_use]
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> NonPrivate<U> {
        NonPrivate(f(self.0))
    }
}

crate::opaque!(NonPrivate<T>);
