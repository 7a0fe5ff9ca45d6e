//! The compiled part of the Python package `dpfda`: arrays in, documents and arrays out.
//!
//! It holds no mathematics and no defaults of its own. Python converts what users have into arrays; this module releases Python's
//! lock and calls the library. `_dpfda.pyi` beside the Python code says what each function takes and gives.

mod agreed;
mod band;
mod budget;
mod cells;
mod crossval;
mod curves;
mod density;
mod door;
mod drawn;
mod features;
mod frames;
mod functionals;
mod gaps;
mod groups;
mod ledger;
mod mean;
mod parts;
mod path;
mod plans;
mod private_rows;
mod refusal;
mod regression;
mod release;
mod rows;
mod settings;
mod signature;
mod study;
mod surface;
mod surface_rows;
mod table;
mod tools;

/// The compiled part of the package.
#[pyo3::pymodule]
mod _dpfda {
    #[pymodule_export]
    use crate::agreed::check_usual;
    #[pymodule_export]
    use crate::budget::{Budget, StatedBall};
    #[pymodule_export]
    use crate::cells::{Ids, Labels, ids, labels, said};
    #[pymodule_export]
    use crate::crossval::{Scores, crossval, risks};
    #[pymodule_export]
    use crate::density::{ReleasedDensity, release_density};
    #[pymodule_export]
    use crate::features::{draws, features};
    #[pymodule_export]
    use crate::frames::{frame_columns, refuse_same_files};
    #[pymodule_export]
    use crate::functionals::{FunctionalsSettings, ReleasedFunctionals, release_functionals};
    #[pymodule_export]
    use crate::groups::{ReleasedGroups, release_groups};
    #[pymodule_export]
    use crate::ledger::{create_ledger, export_ledger, show_ledger, verify_in_ledger};
    #[pymodule_export]
    use crate::mean::{release_curves, release_files};
    #[pymodule_export]
    use crate::parts::Part;
    #[pymodule_export]
    use crate::path::{Kept, PathSettings, ReleasedPath, release_path};
    #[pymodule_export]
    use crate::plans::{Plan, new_key, plan_of_files};
    #[pymodule_export]
    use crate::private_rows::{ReleasedRows, RowsSettings, release_long, release_seen};
    #[pymodule_export]
    use crate::regression::{RegressionSettings, ReleasedRegression, release_regression};
    #[pymodule_export]
    use crate::release::Released;
    #[pymodule_export]
    use crate::settings::Settings;
    #[pymodule_export]
    use crate::signature::{Signer, new_keys, verify_signature};
    #[pymodule_export]
    use crate::study::{CheckedStudy, new_study};
    #[pymodule_export]
    use crate::surface::{ReleasedSurface, SurfaceSettings, release_surface};
    #[pymodule_export]
    use crate::tools::{audit, calibrate, expect, expect_rows, facts_of};

    /// Tells the version of the package.
    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        pyo3::types::PyModuleMethods::add(module, "__version__", env!("CARGO_PKG_VERSION"))
    }
}
