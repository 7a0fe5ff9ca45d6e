//! What the house can do with releases of a kind.

use std::fmt;

macro_rules! capabilities {
    ($($(#[$doc:meta])* $name:ident = $words:literal,)*) => {
        /// Something that can be done with releases of a kind: a column of `docs/kinds.md`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Can { $($(#[$doc])* $name,)* }

        impl Can {
            /// All of them, in the order of the columns.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];
        }

        impl fmt::Display for Can {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $words,)* })
            }
        }
    };
}

capabilities! {
    /// A file of settings describes it.
    Study = "study file",
    /// The command releases it.
    Command = "command",
    /// The Python package reads it.
    Python = "Python",
    /// Parts of the data are added up at several places.
    Parts = "parts",
    /// The data are read once, and never held as a whole.
    Stream = "streams",
    /// A cluster makes the parts.
    Dask = "Dask",
    /// A ledger can pay for it.
    Ledger = "ledger",
    /// The number of records can be private.
    AddRemove = "add/remove",
    /// There is noise for delta 0.
    Pure = "delta 0",
    /// A radius can be bought.
    BoughtRadius = "bought radius",
    /// A centre can be bought.
    BoughtCentre = "bought centre",
    /// The domain can be a circle.
    Periodic = "periodic",
    /// Its error is told before there are data.
    Forecast = "forecast",
    /// The command looks at the data first, for the curator.
    Check = "check",
    /// Its estimate has a band.
    Band = "band",
    /// Its smoother can be another one.
    Smoother = "smoother",
    /// Slopes and areas are estimated.
    Features = "slopes and areas",
    /// Two releases are compared.
    Compare = "compare",
    /// Two means within one release are compared.
    CompareWithin = "compare within",
    /// A mean is foretold for covariates.
    Predict = "predict",
    /// How the curves vary.
    Components = "components",
    /// There is a page for a custodian.
    Report = "report",
    /// It is drawn.
    Figure = "figure",
    /// It has a table.
    Table = "table",
    /// The guarantee of a document is attacked.
    Audit = "audit",
    /// Its document has a schema.
    Schema = "schema",
}
