//! The table of kernels: everything that is said about a kernel outside its own file.

use serde::{Deserialize, Serialize};

use crate::functions::composite::{Product, Scaled, Sum};
use crate::functions::covariance::{CovarianceKernel, KernelError};

/// The number that some kernels have beside their range, written behind the prefix and a colon.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    /// What stands before the colon.
    pub(crate) prefix: &'static str,
    /// What the number is called in help and errors.
    pub(crate) symbol: &'static str,
    /// The number, positive and finite.
    pub(crate) value: f64,
}

/// What the table says about one kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// The kernel's number beside the range, if the kernel has one.
    pub(crate) parameter: Option<Parameter>,
    /// The kernel in captions of figures; the word "kernel" follows.
    pub(crate) caption: &'static str,
    /// What the kernel assumes of a curve, in one line.
    pub(crate) help: &'static str,
    /// The range when none is given, on the domain mapped to `[0, 1]`.
    pub(crate) default_range: f64,
    /// The ranges that cross-validation tries when none are given.
    pub(crate) usual_ranges: &'static [f64],
}

/// Makes [`Kernel`], [`KernelName`] and [`families`] from the rows of the table.
macro_rules! table {
    ($(
        $(#[$doc:meta])*
        $module:ident::$Family:ident $( ($parameter:ident: $number:ty, $prefix:literal, $symbol:literal) )? {
            names: [$( $name:literal $(($value:literal))? ),+],
            caption: $caption:expr,
            help: $help:expr,
            default_range: $default_range:expr,
            usual_ranges: $usual_ranges:expr,
        }
    )+) => {
        $( use crate::functions::$module::$Family; )+

        /// The kernels that have a name, for a glob import.
        pub mod families {
            $( pub use crate::functions::$module::$Family; )+
        }

        /// Any kernel that dpfda ships, alone or combined with `+`, `*` and [`Kernel::scaled`].
        ///
        /// A release must be readable in ten years. The kernels that a release can name are therefore a closed set.
        /// [`CovarianceKernel`] is open to every kernel that is not written to a file.
        ///
        /// ```
        /// use dpfda_kernels::{CovarianceKernel, Exponential, Gaussian, Kernel};
        ///
        /// let trend = Kernel::from(Gaussian::new(0.05)?);
        /// let wiggles = Kernel::from(Exponential::new(0.1)?).scaled(0.2)?;
        /// let both = trend + wiggles;
        ///
        /// assert!((both.covariance(0.3, 0.3) - 1.2).abs() < 1e-15);
        /// assert!(both.is_stationary());
        /// assert_eq!(both.derivative(0.3, 0.4), None, "paths with an exponential part have no slope");
        /// # Ok::<(), dpfda_kernels::KernelError>(())
        /// ```
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "family", rename_all = "kebab-case")]
        pub enum Kernel {
            $( $(#[$doc])* $Family($Family), )+
            /// A sum of kernels.
            Sum(Sum),
            /// A product of kernels.
            Product(Product),
            /// A kernel times a factor.
            Scaled(Scaled),
        }

        impl Kernel {
            pub(crate) fn as_dyn(&self) -> &dyn CovarianceKernel {
                match self {
                    $( Self::$Family(kernel) => kernel, )+
                    Self::Sum(kernel) => kernel,
                    Self::Product(kernel) => kernel,
                    Self::Scaled(kernel) => kernel,
                }
            }
        }

        $( impl From<$Family> for Kernel {
            fn from(kernel: $Family) -> Self {
                Self::$Family(kernel)
            }
        } )+

        /// The name of a kernel that needs nothing but a range, as commands and release files write it.
        ///
        /// ```
        /// use dpfda_kernels::{Kernel, KernelName, Matern};
        ///
        /// let name: KernelName = "matern52".parse()?;
        /// assert_eq!(name, KernelName::Matern(2.5));
        /// assert_eq!(name.with_range(0.25)?, Kernel::from(Matern::new(2.5, 0.25)?));
        /// assert_eq!(KernelName::Matern(1.2).to_string(), "matern:1.2");
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum KernelName {
            $( $(#[$doc])* $Family $(($number))?, )+
        }

        /// The names of each row that are words of their own. The first one that fits is written, all are read.
        pub(crate) const NAMES: &[&[(&str, KernelName)]] =
            &[$( &[$( ($name, KernelName::$Family $(($value))?) ),+] ),+];

        impl KernelName {
            /// The kernel of this name with the given range.
            pub fn with_range(self, range: f64) -> Result<Kernel, KernelError> {
                Ok(match self {
                    $( Self::$Family $(($parameter))? => $Family::new($($parameter,)? range)?.into(), )+
                })
            }

            /// The name and range of a kernel that has both; `None` for sums, products and scalings.
            pub fn of(kernel: &Kernel) -> Option<(Self, f64)> {
                match kernel {
                    $( Kernel::$Family(kernel) => Some((Self::$Family $((kernel.$parameter()))?, kernel.range())), )+
                    Kernel::Sum(_) | Kernel::Product(_) | Kernel::Scaled(_) => None,
                }
            }

            /// The name written `prefix:value`, if a kernel has this prefix.
            pub(crate) fn with_parameter(prefix: &str, value: f64) -> Option<Self> {
                match prefix {
                    $($( $prefix => Some(Self::$Family(value)), )?)+
                    _ => None,
                }
            }

            pub(crate) fn row(self) -> Row {
                match self {
                    $( Self::$Family $(($parameter))? => Row {
                        parameter: [$( Parameter { prefix: $prefix, symbol: $symbol, value: $parameter } )?]
                            .into_iter()
                            .next(),
                        caption: $caption,
                        help: $help,
                        default_range: $default_range,
                        usual_ranges: $usual_ranges,
                    }, )+
                }
            }
        }
    };
}

// A row is the module and the type of a kernel, then what is said about the kernel. `(smoothness: f64, "matern", "NU")` says
// that the constructor takes a number before the range, that the method `smoothness` tells the number, and that the name of
// the kernel is `matern:NU`. A name that was once written to a release file stays in `names` for ever.
//
// A default range is a convention, not an estimate from data: about a quarter of the domain for the Matern family, and the
// same correlation length for the others. Usual ranges go from about a twentieth of the domain to all of it.
table! {
    /// `exp(-d^2 / rho)`
    gaussian::Gaussian {
        names: ["gaussian"],
        caption: "Gaussian",
        help: "very smooth curves, which have every derivative",
        default_range: 0.05,
        usual_ranges: &[0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0],
    }
    /// The Matern family, by its smoothness.
    matern::Matern(smoothness: f64, "matern", "NU") {
        names: ["matern12" (0.5), "matern32" (1.5), "matern52" (2.5)],
        caption: "Matérn",
        help: "curves with 0, 1 or 2 derivatives; for NU, as many as the largest whole number below NU",
        default_range: if smoothness <= 0.5 { 0.5 } else { 0.25 },
        usual_ranges: if smoothness > 0.5 {
            &[0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0]
        } else {
            &[0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 4.0]
        },
    }
    /// `exp(-d / rho)`
    exponential::Exponential {
        names: ["exponential"],
        caption: "exponential",
        help: "rough curves without derivatives; the same as matern12",
        default_range: 0.5,
        usual_ranges: &[0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 4.0],
    }
    /// The Sobolev kernel of `[0, 1]`.
    sobolev::Sobolev {
        names: ["sobolev"],
        caption: "Sobolev",
        help: "rough curves without derivatives; a larger range means a shorter memory",
        default_range: 2.0,
        usual_ranges: &[0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0],
    }
}
