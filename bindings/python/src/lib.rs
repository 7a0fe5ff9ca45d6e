//! The compiled part of the Python package `dpfda`: arrays in, documents and arrays out.
//!
//! It holds no mathematics and no defaults of its own. Python converts what users have into arrays; this module releases Python's
//! lock and calls the library. `_dpfda.pyi` beside the Python code says what each function takes and gives.

mod cells;
mod check;
mod crossval;
mod data;
mod density;
mod door;
mod doors;
mod drawn;
mod features;
mod files;
mod functionals;
mod functions;
mod keywords;
mod ledger;
mod means;
mod parts;
mod path;
mod people;
mod plans;
mod reading;
mod refusal;
mod release;
mod released;
mod signature;
mod smoother;
mod study;
mod table;
mod tools;

/// The compiled part of the package.
#[pyo3::pymodule]
mod _dpfda {
    #[pymodule_export]
    use crate::cells::{Ids, Labels, ids, labels, said};
    #[pymodule_export]
    use crate::check::check;
    #[pymodule_export]
    use crate::crossval::{Scores, crossval, risks};
    #[pymodule_export]
    use crate::density::{cells, density_at, quantile, synthetic_points};
    #[pymodule_export]
    use crate::doors::settings_of;
    #[pymodule_export]
    use crate::features::{draws, features};
    #[pymodule_export]
    use crate::files::refuse_same_files;
    #[pymodule_export]
    use crate::functionals::{FunctionalsSettings, answers, release_functionals};
    #[pymodule_export]
    use crate::functions::{
        at, centiles, difference, estimate, estimates, group_of, people_of, predict, surface_at, surface_slice,
        surface_slope, unsupported,
    };
    #[pymodule_export]
    use crate::ledger::{create_ledger, export_ledger, report, show_ledger, verify_in_ledger};
    #[pymodule_export]
    use crate::means::{components, covariance, evaluate, integral, posterior, scores, simulate};
    #[pymodule_export]
    use crate::parts::Part;
    #[pymodule_export]
    use crate::path::{Kept, PathSettings, release_path};
    #[pymodule_export]
    use crate::people::{complete, groups_test, outcome};
    #[pymodule_export]
    use crate::plans::{Plan, new_key};
    #[pymodule_export]
    use crate::reading::{Places, Reading};
    #[pymodule_export]
    use crate::release::release;
    #[pymodule_export]
    use crate::released::Released;
    #[pymodule_export]
    use crate::signature::{Signer, new_keys, verify_signature};
    #[pymodule_export]
    use crate::study::{CheckedStudy, new_study};
    #[pymodule_export]
    use crate::tools::{audit, calibrate, facts_of, forecast};

    /// Tells the version of the package.
    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        pyo3::types::PyModuleMethods::add(module, "__version__", env!("CARGO_PKG_VERSION"))
    }
}
