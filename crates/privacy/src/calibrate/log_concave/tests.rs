#![allow(clippy::unwrap_used, reason = "tests")]

mod audit;
mod calibration;
mod input;
mod integration;
mod paper;

use super::{LogConcaveError, LogConcaveNoise, LogConcavePrivacy};
use crate::budget::PrivacyBudget;
use crate::calibrate::noise_family::NoiseFamily;

fn family(name: &str) -> NoiseFamily {
    name.parse().unwrap()
}

fn calibrated<N: LogConcaveNoise>(noise: N, epsilon: f64, delta: f64) -> Result<LogConcavePrivacy<N>, LogConcaveError> {
    LogConcavePrivacy::calibrated(noise, &PrivacyBudget::new(epsilon, delta).unwrap())
}

fn scale(noise: impl LogConcaveNoise, epsilon: f64, delta: f64) -> f64 {
    calibrated(noise, epsilon, delta).unwrap().scale(1.0).unwrap()
}
