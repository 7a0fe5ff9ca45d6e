//! The table of settings, and studies from every door.
#![allow(clippy::unwrap_used, reason = "tests")]

mod digest;
mod doors;
mod memory;
mod new;
mod refusals;
mod table;

use dpfda_study::{Checked, Kind, Sections, Study};
use std::path::Path;

/// Names and values of flags.
type Flags = &'static [(&'static str, &'static str)];

/// A study file of each kind, and the same settings as flags and as JSON.
const STUDIES: [(Kind, &str, Flags, &str); 9] = [
    (
        Kind::Mean,
        "# what is agreed\n[release.mean]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nbounds = [0, 1]\nradius_share = 0\n\
         [table]\nvalues = ['h*', \"k1\"]\nsubject = \"id\"\ngrid = [0, 24]\n[figure]\nsize = '800x500'\n",
        &[
            ("epsilon", "1"),
            ("delta", "0.00001"),
            ("bounds", "0,1"),
            ("radius_share", "none"),
            ("values", "h*, k1"),
            ("subject", "id"),
            ("grid", "0,24"),
            ("size", "800x500"),
        ],
        r#"{"release":{"mean":{}},"privacy":{"epsilon":1.0,"delta":1e-5},"bound":{"bounds":[0,1],"radius_share":"none"},
            "table":{"values":"h*,k1","subject":"id","grid":[0,24]},"figure":{"size":"800x500"}}"#,
    ),
    (
        Kind::Groups,
        "[release.groups]\nby = 'status'\nprivate_labels = ['case', 'control']\n[privacy]\nepsilon = 0.5\ndelta = 1e-6\nneighbours = \
         'add-remove'\n[bound]\ncenter = -3\nradius = 2.5\n[table]\nvalues = 'v*'\n",
        &[
            ("by", "status"),
            ("private_labels", "case,control"),
            ("epsilon", "0.5"),
            ("delta", "1e-6"),
            ("neighbours", "add-remove"),
            ("center", "-3"),
            ("radius", "2.5"),
            ("values", "v*"),
        ],
        r#"{"release":{"groups":{"by":"status","private_labels":["case","control"]}},"privacy":{"epsilon":0.5,"delta":1e-6,
            "neighbours":"add-remove"},"bound":{"center":-3,"radius":2.5},"table":{"values":["v*"]}}"#,
    ),
    (
        Kind::Change,
        "[release.change]\nchange = 'round=1,2'\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nradius = 0.3\n[table]\nvalues = \
         'v*'\nsubject = 'id'\n",
        &[
            ("change", "round = 1, 2"),
            ("epsilon", "1"),
            ("delta", "1e-5"),
            ("radius", "0.3"),
            ("values", "v*"),
            ("subject", "id"),
        ],
        r#"{"release":{"change":{"change":"round=1,2"}},"privacy":{"epsilon":1,"delta":1e-5},"bound":{"radius":0.3},
            "table":{"values":"v*","subject":"id"}}"#,
    ),
    (
        Kind::Rows,
        "[release.rows]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nbounds = [0, 100]\n[table]\nid = \
         'id'\ntime = 'day'\nvalue = 'score'\ndomain = [0, 365]\nbins = 30\nmissing = ['-999', 'X']\n",
        &[
            ("domain", "0,365"),
            ("bins", "30"),
            ("epsilon", "1"),
            ("delta", "1e-5"),
            ("bounds", "0,100"),
            ("id", "id"),
            ("time", "day"),
            ("value", "score"),
            ("missing", "-999,X"),
        ],
        r#"{"release":{"rows":{}},"privacy":{"epsilon":1,"delta":1e-5},"bound":{"bounds":[0,100]},
            "table":{"id":"id","time":"day","value":"score","domain":[0,365],"bins":30,"missing":"-999,X"}}"#,
    ),
    (
        Kind::Rows,
        "[release.rows]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nbounds = [0, 100]\n[table]\nvalues = 'v*'\nsubject = 'id'\n",
        &[
            ("gaps", "rows"),
            ("epsilon", "1"),
            ("delta", "1e-5"),
            ("bounds", "0,100"),
            ("values", "v*"),
            ("subject", "id"),
        ],
        r#"{"release":{"rows":{}},"privacy":{"epsilon":1,"delta":1e-5},"bound":{"bounds":[0,100]},
            "table":{"values":"v*","subject":"id","gaps":"rows"}}"#,
    ),
    (
        Kind::Surface,
        "[release.surface]\nsurface = [8, 24]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\ncenter = 0\nradius = 1\n[table]\nvalues = \
         'p*'\n[estimate]\nband = 'posterior'\n",
        &[
            ("surface", "8,24"),
            ("epsilon", "1"),
            ("delta", "1e-5"),
            ("center", "0"),
            ("radius", "1"),
            ("values", "p*"),
            ("band", "posterior"),
        ],
        r#"{"release":{"surface":{"surface":[8,24]}},"privacy":{"epsilon":1,"delta":1e-5},"bound":{"center":0,"radius":1},
            "table":{"values":"p*"},"estimate":{"band":"posterior"}}"#,
    ),
    (
        Kind::Regression,
        "[release.regression]\non = ['status', 'round']\ncovariate_bounds = ['status=control|case', 'round=1:8']\npublic_design = true\n\
         [privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nbounds = [0, 1]\n[table]\nvalues = 'v*'\n",
        &[
            ("on", "status,round"),
            ("covariate_bounds", "status=control|case,round=1:8"),
            ("public_design", "true"),
            ("epsilon", "1"),
            ("delta", "1e-5"),
            ("bounds", "0,1"),
            ("values", "v*"),
        ],
        r#"{"release":{"regression":{"on":["status","round"],"covariate_bounds":"status=control|case,round=1:8","public_design":true}},
            "privacy":{"epsilon":1,"delta":1e-5},"bound":{"bounds":[0,1]},"table":{"values":"v*"}}"#,
    ),
    (
        Kind::Centiles,
        "[release.centiles]\ncentiles = [25, 50]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nbounds = [0, 1]\ncenter = 0.4\n[table]\nvalues = \
         'v*'\n",
        &[
            ("centiles", "25,50"),
            ("epsilon", "1"),
            ("delta", "1e-5"),
            ("bounds", "0,1"),
            ("center", "0.4"),
            ("values", "v*"),
        ],
        r#"{"release":{"centiles":{"centiles":[25,50]}},"privacy":{"epsilon":1,"delta":1e-5},"bound":{"bounds":[0,1],"center":0.4},
            "table":{"values":"v*"}}"#,
    ),
    (
        Kind::Density,
        "[release.density]\ndraws = 100\n[privacy]\nepsilon = 1\nmechanism = 'smoothed'\n[bound]\nbounds = [0, 120]\n[table]\ncolumns = \
         'age'\n",
        &[("draws", "100"), ("epsilon", "1"), ("mechanism", "smoothed"), ("bounds", "0,120"), ("columns", "age")],
        r#"{"release":{"density":{"draws":100}},"privacy":{"epsilon":1,"mechanism":"smoothed"},"bound":{"bounds":[0,120]},
            "table":{"columns":["age"]}}"#,
    ),
];

/// The study of flags.
fn of_flags(flags: &[(&str, &str)]) -> Study {
    Study::of_flags(None, Sections::of_texts(flags.iter().copied()).unwrap())
}

/// A study file that was checked.
fn checked(text: &str) -> Checked {
    Study::from_toml(text).unwrap().check(Path::new(".")).unwrap()
}
