//! What is bought with a share of the budget: a centre, a radius.

pub(crate) mod ball_data;
pub(crate) mod ball_rule;
pub(crate) mod bought;
pub(crate) mod bucket_sum;
pub(crate) mod coarse_center;
pub(crate) mod in_ball;
pub(crate) mod norms;
pub(crate) mod radius_rule;
pub(crate) mod round;
pub(crate) mod tail;
