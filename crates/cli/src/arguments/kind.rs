//! The kinds of tables that `dpfda release` reads, and which option belongs to which.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use super::GapsArgument;
use TableKind::{Curves, Filled, Groups, Long, LongSurfaces, Seen, Surfaces};

/// What the rows of a table are, and what stands for what was not seen.
///
/// It is the first of the arguments of a release: whoever has those arguments knows that each option belongs to their table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableKind {
    /// A curve in each row; a line stands for a missing value
    Curves,
    /// The same, where a public process fills the gaps
    Filled,
    /// The same, where only what was seen counts
    Seen,
    /// A value in each row
    Long,
    /// A surface in each row
    Surfaces,
    /// A value of a surface in each row
    LongSurfaces,
    /// A curve in each row, and its group
    Groups,
}

/// The options that belong to some kinds of tables. Every other option belongs to all of them.
const BELONGS: [(&[&str], &[TableKind]); 19] = [
    (&["values", "subject"], &[Curves, Filled, Seen, Surfaces, Groups]),
    (&["id", "value"], &[Long, LongSurfaces]),
    (&["time", "domain"], &[Long]),
    (&["bins", "bound"], &[Seen, Long]),
    (&["surface", "surface_domain", "s_label"], &[Surfaces, LongSurfaces]),
    (&["s", "t"], &[LongSurfaces]),
    (&["by", "private_labels", "groups_of_subject"], &[Groups]),
    (&["gaps"], &[Curves, Filled, Seen]),
    (&["gaps_kernel", "gaps_range", "gaps_noise"], &[Filled]),
    (&["grid"], &[Curves, Filled, Seen, Groups]),
    (&["periodic"], &[Curves, Filled, Seen, Long, Groups]),
    (&["radius_share"], &[Curves, Filled, Seen, Long, Surfaces, LongSurfaces, Groups]),
    (&["center_share"], &[Curves, Filled, Surfaces, LongSurfaces, Groups]),
    (&["band"], &[Curves, Filled, Seen, Long, Surfaces, LongSurfaces]),
    (&["moments"], &[Curves, Filled, Groups]),
    (
        &[
            "coordinates",
            "mechanism",
            "select",
            "kernel",
            "range",
            "penalty",
            "eta",
            "band_roughness",
            "slope",
            "roughness",
        ],
        &[Curves, Filled],
    ),
    (&["plan_only"], &[Curves, Long, Surfaces]),
    (&["sorted_by_subject"], &[Curves, Surfaces]),
    // of a check
    (&["figure"], &[Curves, Filled, Seen, Groups]),
];

impl TableKind {
    /// The kind that the arguments ask for.
    fn of(matches: &ArgMatches) -> Self {
        match matches.get_one("gaps") {
            _ if matches.contains_id("time") => Long,
            _ if matches.contains_id("s") => LongSurfaces,
            _ if matches.contains_id("surface") => Surfaces,
            _ if matches.contains_id("by") => Groups,
            Some(GapsArgument::GaussianProcess) => Filled,
            Some(GapsArgument::Rows) => Seen,
            _ => Curves,
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Curves => "a table of curves",
            Filled => "a table of curves with --gaps gaussian-process",
            Seen => "a table of curves with --gaps rows",
            Long => "a long table (--id, --time, --value and --domain)",
            Surfaces => "a table of surfaces (--surface)",
            LongSurfaces => "a long table of surfaces (--surface with --id, --s, --t and --value)",
            Groups => "a table of groups (--by)",
        }
    }

    /// Refuses the first option that was given and belongs to other kinds alone.
    fn check(self, matches: &ArgMatches) -> Result<(), Error> {
        let given = |name: &str| {
            // `figure` is an option of a check alone
            let is_known = matches.ids().any(|id| id == name);
            is_known && matches.value_source(name) == Some(ValueSource::CommandLine)
        };
        let others = BELONGS.iter().filter(|(_, kinds)| !kinds.contains(&self));
        let mut strangers = others.flat_map(|(options, kinds)| options.iter().map(move |option| (option, kinds)));
        let Some((option, kinds)) = strangers.find(|(option, _)| given(option)) else { return Ok(()) };
        let option = format!("--{}", option.replace('_', "-"));
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.in_words()).collect();
        let text = format!(
            "{option} cannot be used with {}: it is for {}\nhint: leave {option} out",
            self.in_words(),
            kinds.join(", or ")
        );
        Err(Error::raw(ErrorKind::ArgumentConflict, text))
    }
}

impl FromArgMatches for TableKind {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let kind = Self::of(matches);
        kind.check(matches)?;
        Ok(kind)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// It adds no option: it follows from the others.
impl Args for TableKind {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
