//! Two populations that are compared.

use ndarray::Array1;

use crate::Fault;
use crate::pools::process::bump;
use crate::pools::{Pool, line};

/// The names of pairs.
pub const NAMES: [&str; 9] =
    ["same", "clusters", "clusters in one", "spread", "rough", "t3", "peak in one", "far", "step in one"];

/// Two populations, and whether their means are equal.
pub struct Pair {
    pub sides: [Pool; 2],
    pub is_equal: bool,
}

impl Pair {
    pub fn of(name: &str) -> Result<Self, Fault> {
        let pool = line::pool;
        let equal = |sides| Self { sides, is_equal: true };
        let other = |sides| Self { sides, is_equal: false };
        Ok(match name {
            "same" => equal([pool("smooth")?, pool("smooth")?]),
            "clusters" => equal([pool("cluster")?, pool("cluster")?]),
            "clusters in one" => {
                let cluster = pool("cluster")?;
                equal([moved(&(&cluster.mean - &pool("smooth")?.mean))?, cluster])
            }
            // standard deviations of 0.03 and 0.12
            "spread" => equal([spread(0.5)?, spread(2.0)?]),
            "rough" => equal([pool("rough")?, pool("rough")?]),
            "t3" => equal([pool("t3")?, pool("t3")?]),
            "peak in one" => {
                let t = line::grid("smooth")?.points().to_owned();
                other([pool("smooth")?, moved(&(bump(t.view(), 0.6, 0.1) * 0.05))?])
            }
            "far" => {
                let shift = pool("smooth")?.mean.mapv(|_| -0.25);
                other([pool("smooth")?, moved(&shift)?])
            }
            "step in one" => other([pool("smooth")?, pool("step")?]),
            _ => return Err(format!("no pair is called {name}").into()),
        })
    }
}

/// The smooth pool with a mean that lies so far from its own.
fn moved(shift: &Array1<f64>) -> Result<Pool, Fault> {
    let smooth = line::pool("smooth")?;
    Ok(Pool::about(smooth.bounds, &(&smooth.mean + shift), smooth.deviations()))
}

/// The smooth pool whose people vary so many times as much.
fn spread(factor: f64) -> Result<Pool, Fault> {
    let smooth = line::pool("smooth")?;
    Ok(Pool::about(smooth.bounds, &smooth.mean, smooth.deviations() * factor))
}
