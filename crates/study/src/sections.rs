//! The table: every setting with its section, type, value name, help, default and kinds. Adding one is a line here, and its use.

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::kernels::KernelName;
use dpfda::release::{DEFAULT_BINS, DEFAULT_CENTILES, DEFAULT_COORDINATES, DEFAULT_KERNEL};
use dpfda::smoothing::{GapProcess, Missing};
use serde::Deserialize;

use crate::choices::{BandName, GapsName, MechanismName, MomentsName, NeighboursName, SelectName, UnitName};
use crate::day::Day;
use crate::kind::Kind;
use crate::setting::{Default as Of, Section, Setting};
use crate::value::{SettingValue, Value};
use crate::value_error::ValueError;
use crate::values::{CenterValue, Columns, Delimiter, Formats, GridValue, Label, Reason, Shape, Share, Size, Visits};

/// Structs of settings that may be said, and the rows of [`SETTINGS`]. A setting with `rarely` is left to long help.
macro_rules! sections {
    ($($(#[doc = $about:literal])+ $section:ident $Section:ident ($place:expr) {
        $($(#[doc = $help:literal])+ $name:ident: $Type:ty = $value:literal, $kinds:expr, $default:expr $(, $rarely:ident)?;)*
    })*) => {
        $(
            $(#[doc = $about])+
            #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
            #[serde(deny_unknown_fields, default)]
            #[allow(clippy::doc_markdown, reason = "settings stand in braces")]
            pub struct $Section {
                $($(#[doc = $help])+ #[serde(deserialize_with = "crate::value::read")] pub $name: Option<$Type>,)*
            }
        )*

        /// What was said, in sections. What was not said is absent.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct Sections {
            $($(#[doc = $about])+ pub $section: $Section,)*
        }

        impl Sections {
            /// The value of a setting, where it was said.
            pub fn get(&self, name: &str) -> Option<Value> {
                match name {
                    $($(stringify!($name) => self.$section.$name.as_ref().map(SettingValue::value),)*)*
                    _ => None,
                }
            }

            /// Says a setting.
            pub(crate) fn set(&mut self, name: &str, value: Value) -> Result<(), ValueError> {
                match name {
                    $($(stringify!($name) => self.$section.$name = Some(SettingValue::read(value)?),)*)*
                    _ => {}
                }
                Ok(())
            }
        }

        /// Every setting, in the order of help texts and files.
        pub const SETTINGS: &[Setting] = &[
            $($(Setting {
                name: stringify!($name),
                section: $place,
                help: &[$($help.trim_ascii()),+],
                value: $value,
                form: <$Type as SettingValue>::FORM,
                default: $default,
                kinds: $kinds,
                is_common: sections!(@is_common $($rarely)?),
                parse: |text| <$Type as SettingValue>::parse(text).map(|value| value.value()),
            },)*)*
        ];
    };
    (@is_common) => { true };
    (@is_common $rarely:ident) => { false };
}

use Kind::{
    Centiles as C, Change as V, Density as D, Groups as G, Mean as M, Regression as E, Rows as R, Surface as S,
};

const ALL: &[Kind] = &Kind::ALL;
/// Everything that is not of points.
const CURVES: &[Kind] = &[M, G, V, R, S, E, C];

/// Nothing holds unless it is said.
const NONE: Of = Of::None;
const FALSE: Of = Of::Constant(|_| Some("false".to_owned()));

sections! {
    /// What one person's data can change.
    privacy Privacy (Section::Privacy) {
        /// The privacy parameter epsilon, such as 1; smaller is more private
        epsilon: f64 = "EPSILON", ALL, NONE;
        /// The parameter delta, such as 1e-5; well below 1 / (number of subjects)
        ///
        /// For the mean of curves it may be 0, and for a density it is 0 unless another is given.
        delta: f64 = "DELTA", ALL, Of::Constant(|kind| (kind == D).then(|| "0".to_owned()));
        /// Which data sets must look alike: substitute or add-remove
        ///
        /// substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private.
        neighbours: NeighboursName = "RELATION", ALL, Of::Constant(|_| Some(NeighboursName::Substitute.word().to_owned()));
        /// Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release
        because: Reason = "REASON", ALL, NONE, rarely;
        /// Use the classical scale of Gaussian noise, which is larger and needs epsilon <= 1, to compare with earlier work
        classical: bool = "CLASSICAL", CURVES, FALSE, rarely;
        /// What makes the release private. Of a mean: white noise (isonormal), or noise of the smoother's own kernel (cameron-martin)
        mechanism: MechanismName = "MECHANISM", &[M, D], Of::Constant(|kind| match kind {
            M => Some(MechanismName::Isonormal.word().to_owned()),
            D => Some(MechanismName::Perturbed.word().to_owned()),
            _ => None,
        }), rarely;
        /// Which second moments are released with the mean: the free ones, which white noise has under substitute (auto), with
        /// the noise of the mean as small as it can be (mean), with that of the second moments smaller (covariance), or none
        moments: MomentsName = "MOMENTS", &[M, G, V], Of::Constant(|_| Some(MomentsName::Auto.word().to_owned())), rarely;
        /// What a row is to the ledger: curve (alone), or subject
        ///
        /// Say subject if nobody has two rows, which is your word.
        unit: UnitName = "UNIT", &[D], Of::Usual(|| "curve; subject with {subject}".to_owned()), rarely;
    }

    /// What is known of every record.
    bound Bound (Section::Bound) {
        /// The public centre of the curves: a number, or a CSV file with columns t,value
        ///
        /// It is in the units of the curves. Of a change it is the change that is expected, 0 unless it is given.
        center: CenterValue = "NUMBER | FILE.csv", CURVES, NONE;
        /// The largest root-mean-square distance of a curve from the centre
        ///
        /// It is in the units of the curves. Curves beyond are pulled in. Chosen from public knowledge, never from these data.
        radius: f64 = "RADIUS", CURVES, NONE;
        /// The least and the largest value that a curve can have, or each coordinate of a point
        ///
        /// In place of {center} and {radius}. Values outside are clamped. A density has two numbers for each of its columns; of a change it is
        /// the least and the largest change. Chosen from public knowledge, never from these data.
        bounds: Vec<f64> = "LO,HI", ALL, NONE;
        /// The largest root-mean-square slope of a curve about the centre, beside its radius, in the units of the data for one unit of
        /// the grid: rough functions then get less noise
        slope: f64 = "SLOPE", &[M], NONE, rarely;
        /// Charge waves shorter than this length of the grid: rough functions then get less noise. The radius must then be found ({radius_share}). 0 charges
        /// nothing. By default it is 0.15 of the domain, where a radius is found and the band needs no white noise
        roughness: f64 = "LENGTH", &[M], Of::Usual(|| "0.15 of the domain".to_owned()), rarely;
        /// The share of the budget that finds a smaller radius, or none
        ///
        /// The radius is then as small as the data allow; none, or 0, keeps the stated one. By default the share is 20 / (mu N) between 0.02 and
        /// 0.1, with N people and mu the size of the budget; it is 0.05 where N is not known before the curves are read, and of
        /// rows none is found then. From too few people the default finds none, and spends nothing on it; a share that is given is refused then.
        radius_share: Share = "SHARE", CURVES, Of::Usual(|| "by rule".to_owned());
        /// The share of the budget that finds the centre as well, or none
        ///
        /// By default it is that of the radius where {bounds} alone are given and mu N is at least 50, and none elsewhere: with few people and
        /// little budget such a centre is erratic.
        center_share: Share = "SHARE | none", &[M, G, V, S, E], Of::Usual(|| "by rule".to_owned()), rarely;
        /// The number of people that you expect: public, and known before the data
        ///
        /// The default shares follow it in place of the number in the data. Give it where that number is private, or where data are in
        /// parts.
        expected: usize = "NUMBER", CURVES, NONE, rarely;
        /// The largest distance of one value from the centre, at least the radius
        ///
        /// Values beyond are clamped. With {bounds} it is what the bounds say, unless a radius is found.
        bound: f64 = "NUMBER", &[R], Of::Usual(|| "twice the radius".to_owned()), rarely;
    }

    /// How the table is read.
    table Table (Section::Table) {
        /// The value columns: names or patterns such as 'cca_*', with commas
        ///
        /// Columns are taken in the order given, and in the order of the file within a pattern; '!' before a name or a pattern leaves columns
        /// out, as in 'h*,!h24'. A column that is no point of the curve, such as YEAR among h0,h1,..., is refused unless it is named itself.
        values: Vec<String> = "PATTERN", CURVES, NONE;
        /// The columns of the coordinates: one to three names, separated by commas
        columns: Columns = "X[,Y[,Z]]", &[D], NONE;
        /// The column of subject ids: all rows of a subject are protected together
        ///
        /// Without it, each row is protected alone. For a density, a subject's record is the mean of its points.
        subject: String = "COLUMN", ALL, NONE;
        /// Codes for missing values, such as -999; empty cells and words such as NA are known
        ///
        /// Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999
        /// or -99999 is refused, for it may be either.
        missing: Missing = "CODES", ALL, NONE;
        /// Where the columns lie: two ends A,B, one point for each, or names
        ///
        /// With two ends, columns are equally spaced; with names, they lie where their names say. Names of columns that are numbers, dates or
        /// times must be in their order, and equally spaced where the grid is. With uniform, or uniform:A,B, the columns are equally spaced
        /// whatever their names say. With names, a time of the day is in hours, and a date in days after the first.
        grid: GridValue = "GRID", &[M, G, V, R, E, C], Of::Usual(|| "0,1".to_owned());
        /// The domain closes up, as a day or a gait cycle does: its two ends are one point
        ///
        /// With two ends A,B, columns are equally spaced from A to one step before B, which is A again: no column repeats the first. Points
        /// and names must be equally spaced, and the domain closes up one step after the last of them. With {domain}, its two ends are one
        /// point. The estimate, its slope and its band close up.
        periodic: bool = "PERIODIC", &[M, G, V, R, E, C], FALSE, rarely;
        /// What stands between cells: one character, or tab
        delimiter: Delimiter = "CHARACTER", ALL, Of::Usual(|| "a comma, and a tab in a .tsv file".to_owned()), rarely;
        /// Numbers have a decimal comma, as in 1,5
        decimal_comma: bool = "COMMA", ALL, Of::Constant(|kind| (kind != D).then(|| "false".to_owned())), rarely;
        /// What stands for a missing value: a line between its neighbours, what a public process expects, or nothing
        ///
        /// Choose before you look at the data; docs/kinds/mean.md has what each costs. Each curve is treated on its own, and the guarantee is
        /// the same.
        gaps: GapsName = "GAPS", &[M, R, C], Of::Constant(|kind| (kind == M).then(|| GapsName::Interpolate.word().to_owned())), rarely;
        /// The kernel of {gaps} gaussian-process
        gaps_kernel: KernelName = "KERNEL", &[M], Of::Usual(|| GapProcess::KERNEL.to_string()), rarely;
        /// Its range on the domain mapped to [0, 1]
        gaps_range: f64 = "RANGE", &[M], Of::Usual(|| GapProcess::RANGE.to_string()), rarely;
        /// The standard deviation of a measurement, in standard deviations of the process about the centre
        gaps_noise: f64 = "NOISE", &[M], Of::Usual(|| GapProcess::NOISE.to_string()), rarely;
        /// The column of subject ids of a long table: all rows of a subject are protected together, wherever they are
        ///
        /// With {time}, {value} and {domain}, in place of {values}. Of surfaces with {s}, {t} and {value}.
        id: String = "COLUMN", &[R, S, C], NONE, rarely;
        /// The column of times: numbers, such as days since enrolment
        time: String = "COLUMN", &[R, C], NONE, rarely;
        /// The column of values
        value: String = "COLUMN", &[R, S, C], NONE, rarely;
        /// The two ends of the times, chosen from public knowledge, never from these data; rows outside count as no rows
        domain: Vec<f64> = "A,B", &[R, C], NONE, rarely;
        /// The number of bins of the domain; of centile curves that of points, which rows count at the nearest of
        ///
        /// 20 suit sparse data, and 30 suit 30 values a subject or more.
        bins: usize = "NUMBER", &[R, C], Of::Constant(|kind| (kind == R).then(|| DEFAULT_BINS.to_string())), rarely;
        /// The column of s in a table with one row for each value: every number is a point of the grid, up to 0.01 of a step
        ///
        /// With {surface}, {surface_domain}, {id}, {t} and {value}. A subject has one surface, and at most one row for each point. A point
        /// without a row, and one without a value, is filled within the surface.
        s: String = "COLUMN", &[S], NONE, rarely;
        /// The column of t in such a table
        t: String = "COLUMN", &[S], NONE, rarely;
    }

    /// What a mean of curves has alone.
    mean Mean (Section::Release(M)) {
        /// With a delta of 0: how many public coordinates of the mean are released, from 1 to 64
        ///
        /// They are those of the smoothest functions. With {periodic} the default is 11, and the number is odd or that of all points. The
        /// noise of each grows with their number, and the rest of the mean is not released.
        coordinates: usize = "D", &[M], Of::Usual(|| DEFAULT_COORDINATES.to_string()), rarely;
    }

    /// What means of groups have alone.
    groups Groups (Section::Release(G)) {
        /// Release the mean of each group of this column, in place of one mean
        ///
        /// Without {private_labels} the labels are public: every group in the file has the whole budget, and its size is told.
        by: String = "COLUMN", &[G], NONE;
        /// The labels of the groups, where who is in which group is private: these and no others, in this order. A row with another label
        /// or none counts in no group
        private_labels: Vec<String> = "A,B,...", &[G], NONE, rarely;
        /// The most groups that one subject counts in, with {private_labels}: the noise grows with its root
        groups_of_subject: usize = "M", &[G], Of::Constant(|_| Some("1".to_owned())), rarely;
    }

    /// What a change between visits has alone.
    change Change (Section::Release(V)) {
        /// Release how people change between two visits: their column, and its names of the two
        ///
        /// The curve of a person at the second visit, less that at the first. {subject} says whose a row is; several rows of a visit are
        /// averaged. Who has both visits is private, and so is their number. {bounds}, {center} and {radius} are of changes.
        change: Visits = "COLUMN=A,B", &[V], NONE;
        /// Release the slope of people with this column of times, such as year, in place of {change}
        ///
        /// The slope of the line of least squares through a person's rows, at each point, for one unit of the column.
        per: String = "COLUMN", &[V], NONE, rarely;
        /// The least time between the first and the last row of a person, for {per}
        ///
        /// Slopes over a short time are mostly noise. Who has no rows so far apart counts as absent.
        apart: f64 = "TIME", &[V], NONE, rarely;
    }

    /// What a mean of rows has alone: nothing.
    rows Rows (Section::Release(R)) {
    }

    /// What a mean of surfaces has alone.
    surface Surface (Section::Release(S)) {
        /// Each row is a surface on N1 x N2 points: the values of the first s for all t, then those of the second s, and so on
        ///
        /// The columns stand in this order, t fastest. Both axes are equally spaced, and the centre is a number. A table with one row for
        /// each value of a surface has {id}, {s}, {t} and {value} in place of {values}.
        surface: Shape = "N1,N2", &[S], NONE, rarely;
        /// The ends of s and of t, chosen from public knowledge
        surface_domain: Vec<f64> = "S1,S2,T1,T2", &[S], Of::Constant(|_| Some("0,1,0,1".to_owned())), rarely;
    }

    /// What a regression has alone.
    regression Regression (Section::Release(E)) {
        /// The covariates: names of columns, separated by commas
        on: Vec<String> = "COLUMN,...", &[E], NONE;
        /// The public range of each covariate, such as visit=1:8,site=north|south
        ///
        /// Bounds of a number, or levels of a category with the reference first; separated by commas. Chosen from public
        /// knowledge, never from these data.
        covariate_bounds: Vec<String> = "RANGES", &[E], NONE;
        /// Release the correlation of curves with an outcome of people, such as age=20:80
        ///
        /// A column with its public range: two bounds, or two levels such as status=control|case. The release shows the correlation at each point with its band and, where the
        /// noise allows it, the slope function and the part of the outcome that curves explain. What the covariates of {on} explain is taken
        /// out of both first.
        outcome: String = "RANGE", &[E], NONE;
        /// The covariates of everybody are public, and only the curves are private
        ///
        /// That takes less noise. It is possible under substitute alone.
        public_design: bool = "PUBLIC", &[E], FALSE, rarely;
    }

    /// What centile curves have alone.
    centiles Centiles (Section::Release(C)) {
        /// Release centile curves in place of a mean: these, in percent
        ///
        /// From 2 to 98, with at least 10 people beyond each. It needs {bounds}. {center} may be given beside them: a typical curve, by default
        /// halfway. {radius} is then the largest mean absolute distance of a curve from it.
        centiles: Vec<f64> = "P,...", &[C], Of::Constant(|_| Some(DEFAULT_CENTILES.map(|p| p.to_string()).join(",")));
    }

    /// What a density has alone.
    density Density (Section::Release(D)) {
        /// The number of cells along each axis, chosen without looking at the data
        ///
        /// By default: for perturbed, chosen from the release itself; for smoothed, the rate of Theorem 7 for n epsilon; for
        /// exponential, about 4 n^(1/3) and at most 1000, or 48 under add-remove; for both series, where it is only the resolution of
        /// release.csv and of the figure, 200, 60 or 24 for one, two or three columns.
        cells: usize = "M", &[D], NONE, rarely;
        /// The number of points in synthetic.csv
        ///
        /// For perturbed and both series, drawn from the released density at no cost in privacy, and none by default. For smoothed and
        /// exponential K is part of the mechanism, and its draws are the release itself: by default for smoothed the rate of
        /// Theorem 7 for n epsilon, and for exponential (3 epsilon n)^(2/3) but at most n and at most 200, with n = 1000 under add-remove.
        draws: usize = "K", &[D], NONE, rarely;
    }

    /// What is estimated from the release.
    estimate Estimate (Section::Estimate) {
        /// Estimate by one smoother, in place of the posterior mean
        ///
        /// One that is chosen from the release itself by Stein's unbiased risk estimate, at no cost in privacy (sure), or by a fixed rule
        /// from public numbers (default).
        select: SelectName = "SELECT", &[M], NONE;
        /// The kernel of the smoother
        kernel: KernelName = "KERNEL", &[M], Of::Usual(|| DEFAULT_KERNEL.to_string()), rarely;
        /// The range of the kernel on the domain mapped to [0, 1], as in exp(-d^2/range)
        range: f64 = "RANGE", &[M], Of::Usual(|| "one for each kernel".to_owned()), rarely;
        /// The penalty phi; larger is smoother
        penalty: f64 = "PENALTY", &[M], Of::Usual(|| "by a fixed rule from public numbers".to_owned()), rarely;
        /// The power eta >= 1 of the kernel in the penalty
        eta: f64 = "ETA", &[M], Of::Usual(|| "1".to_owned()), rarely;
        /// What the band is about
        band: BandName = "BAND", &[M, R, S], Of::Usual(|| "population; smoothed with a smoother".to_owned());
        /// The probability that the band states, above 0.5 and below 0.9999
        level: f64 = "LEVEL", CURVES, Of::Constant(|_| Some(DEFAULT_LEVEL.to_string()));
        /// The public bound on the roughness of the mean that the honest band needs: a norm of its distance from the centre, in the
        /// space of the Matern 3/2 kernel of range 0.2
        band_roughness: f64 = "NORM", &[M], NONE, rarely;
    }

    /// What the papers about the release say.
    papers Papers (Section::Papers) {
        /// What the data set is called, for the report and the release
        dataset: Label = "NAME", ALL, NONE, rarely;
        /// What the study is called
        study_name: Label = "NAME", ALL, NONE, rarely;
        /// What the approval is called, such as the number of the vote of an ethics board
        approval: Label = "NUMBER", ALL, NONE, rarely;
        /// The day of the study, such as 2026-11-27
        date: Day = "YYYY-MM-DD", ALL, NONE, rarely;
    }

    /// How the figure looks.
    figure Figure (Section::Figure) {
        /// The title of the figure
        title: Label = "TEXT", ALL, NONE, rarely;
        /// The size of the figure in CSS pixels, 96 to an inch, such as 800x500
        ///
        /// A figure is higher than that where its panels and captions need it, as those of surfaces do.
        size: Size = "WIDTHxHEIGHT", ALL, NONE, rarely;
        /// What the horizontal axis shows, with its unit. The names of the axes are public
        x_label: Label = "TEXT", CURVES, NONE, rarely;
        /// What the vertical axis shows
        y_label: Label = "TEXT", CURVES, NONE, rarely;
        /// What the axis of s shows, with its unit; {x_label} names that of t, and {y_label} the value
        s_label: Label = "TEXT", &[S], NONE, rarely;
        /// The unit of the values, such as cm: it stands behind the name of the vertical axis
        units: Label = "TEXT", CURVES, NONE, rarely;
        /// The kinds of files that the figure is written as, with commas: svg, pdf and png
        formats: Formats = "FORMATS", ALL, Of::Usual(|| "all three".to_owned()), rarely;
    }
}
