#![allow(clippy::unwrap_used, reason = "tests")]
mod common;
use common::*;
use dpfda_kernels::KernelName;
use dpfda_privacy::*;
use dpfda_release::*;
#[test]
fn show() {
    let m = PrivateMean::isonormal(ball(), budget()).neighbours(NeighbouringRelation::AddRemoveOne).release(&curves(4, 5), &mut SeededRandomness::from_seed(1)).unwrap();
    println!("{}", m.to_json().unwrap());
    let sm = smoother(KernelName::Matern(2.5), 0.3, 1e-2);
    let f = PrivateFunctionals::new(ball(), 1.0, sm.clone()).unwrap().idealised_arithmetic().noise(Law::StudentT{degrees_of_freedom: 1.5}).release(&curves(4,5), &[LinearFunctional::Evaluation{t:3.0}], &mut SeededRandomness::from_seed(1)).unwrap();
    println!("{}", f.to_json().unwrap());
    let (p, k) = PrivatePath::new(ball(), budget(), sm).mixing(MixingLaw::student_t(5.0).unwrap()).release(&curves(4,5), &[LinearFunctional::Evaluation{t:3.0}], &mut SeededRandomness::from_seed(1)).unwrap();
    println!("{}", p.to_json().unwrap());
    let path = std::env::temp_dir().join(format!("zz{}", std::process::id()));
    k.write(&path).unwrap();
    println!("{}", std::fs::read_to_string(path).unwrap());
}
