//! All integration tests of the facade but the one of the light core, which has features of its own.
#![allow(clippy::unwrap_used, reason = "tests")]

mod composition;
mod dependencies;
mod directions;
mod errata;
mod faults;
mod guide;
mod honesty;
mod house_rules;
mod kinds;
mod pinned_draws;
mod real_data;
mod synthetic_data;
