//! What a new user does wrong, and what must be said then.

/// One mistake: the file, the arguments that differ from a good release, and what the command says.
pub struct Mistake {
    pub what: &'static str,
    /// The table, as [`super::files`] names it.
    pub file: &'static str,
    /// Arguments in place of the usual ones, between bars; `!--name` leaves one out.
    pub arguments: &'static str,
    pub outcome: Outcome,
}

pub enum Outcome {
    /// Exit code 2 and these words: the argument, what is allowed, and the cure.
    Refused(&'static [&'static str]),
    /// No mistake after all, and why.
    Released(&'static str),
}

use Outcome::{Refused, Released};

const fn mistake(what: &'static str, file: &'static str, arguments: &'static str, outcome: Outcome) -> Mistake {
    Mistake { what, file, arguments, outcome }
}

const NO_NUMBER: &[&str] = &["CURVES.csv", "data row 4", "`v1`", "is not a number", "--missing", "--decimal-comma"];
const INFINITE: &[&str] = &["CURVES.csv", "data row 4", "`v1`", "infinite", "1e100", "--missing"];
const MISSING: &str = "the cell says that the value is missing, and is filled within its curve";

/// Mistakes in the arguments.
pub const ARGUMENTS: [Mistake; 45] = [
    mistake("an option misspelt", "base", "--epsilom|1", Refused(&["--epsilom", "'--epsilon'"])),
    mistake(
        "an option of long tables among those of curves",
        "base",
        "!--values|--value|v*",
        Refused(&["--value", "are named by --values"]),
    ),
    mistake(
        "a pattern that matches nothing",
        "base",
        "--values|w*",
        Refused(&["--values", "`w*`", "names of the value columns"]),
    ),
    mistake("a pattern in capital letters", "base", "--values|V*", Refused(&["--values", "`V*`", "capital or small"])),
    mistake("a file that is not there", "nofile", "", Refused(&["CURVES.csv", "nofile.csv", "there is no such file"])),
    mistake("an empty folder", "folder", "", Refused(&["CURVES.csv", "names no table", "give a file, a folder"])),
    mistake(
        "a pattern of files that matches nothing",
        "d_*",
        "",
        Refused(&["CURVES.csv", "names no table", "data/*.csv"]),
    ),
    mistake(
        "the subject's column in small letters",
        "base",
        "--subject|id",
        Refused(&["--subject", "`id`", "capital or small"]),
    ),
    mistake("epsilon as a word", "base", "--epsilon|one", Refused(&["--epsilon", "'one'", "write it like 0.25"])),
    mistake("delta in per cent", "base", "--delta|0.1%", Refused(&["--delta", "'0.1%'", "as in 0.001"])),
    mistake("delta above 1", "base", "--delta|5", Refused(&["--delta", "got 5", "from 1e-15 to 0.5"])),
    mistake("a delta of 0", "base", "--delta|0", Released("12 coordinates of the mean have pure epsilon")),
    mistake("an epsilon of 0", "base", "--epsilon|0", Refused(&["--epsilon", "1e-6 to 50", "--because"])),
    mistake("an epsilon of a million", "base", "--epsilon|1e6", Refused(&["--epsilon", "1e-6 to 50", "such as 1"])),
    mistake("a delta of a half", "base", "--delta|0.5", Refused(&["--delta", "above 0.1", "1e-5", "--because"])),
    mistake(
        "a negative radius",
        "base",
        "--radius|-1",
        Refused(&["--radius", "got -1", "positive number", "such as 0.25"]),
    ),
    mistake("a radius of 0", "base", "--radius|0", Refused(&["--radius", "got 0", "positive number", "such as 0.25"])),
    mistake("a negative centre", "base", "--center|-0.5|--radius|1", Released("a centre may be negative")),
    mistake(
        "decimal commas in centre and radius",
        "base",
        "--center|0,5|--radius|0,5",
        Refused(&["--center", "'0,5'", "as in 0.5"]),
    ),
    mistake("a decimal comma in the radius", "base", "--radius|0,5", Refused(&["--radius", "'0,5'", "as in 0.5"])),
    mistake(
        "a centre file that is not there",
        "base",
        "--center|nosuch.csv",
        Refused(&["--center", "nosuch.csv", "columns t,value"]),
    ),
    mistake("a centre file", "base", "--center|center.csv", Released("the file holds a public curve")),
    mistake(
        "a centre file without header",
        "base",
        "--center|center3.csv",
        Refused(&["--center", "no column `t`", "columns t,value"]),
    ),
    mistake(
        "a centre file that ends too early",
        "base",
        "--center|centerlen.csv",
        Refused(&["--center", "from 0 to 1", "--grid"]),
    ),
    mistake(
        "a centre file that begins too late",
        "base",
        "--center|centershort.csv",
        Refused(&["--center", "from 0 to 1", "--grid"]),
    ),
    mistake("no centre", "base", "!--center", Refused(&["--center was not given", "there is no option for it"])),
    mistake("no place for the files", "base", "!--out", Refused(&["--out <DIR>"])),
    mistake("a grid from right to left", "base", "--grid|1,0", Refused(&["--grid", "increase", "A,B"])),
    mistake(
        "too few grid points",
        "base",
        "--grid|0,1,2",
        Refused(&["--grid", "3 grid points", "5 value columns", "one point for each"]),
    ),
    mistake("half a kernel", "base", "--kernel|matern", Refused(&["--kernel", "'matern'", "matern52"])),
    mistake("an unknown kernel", "base", "--kernel|rbf", Refused(&["--kernel", "'rbf'", "gaussian"])),
    mistake(
        "an unknown mechanism",
        "base",
        "--mechanism|laplace",
        Refused(&["--mechanism", "isonormal, cameron-martin"]),
    ),
    mistake(
        "half a relation",
        "base",
        "--neighbours|add",
        Refused(&["--neighbours", "'add'", "substitute", "add-remove"]),
    ),
    mistake("the American spelling", "base", "--neighbors|substitute", Released("both spellings are read")),
    mistake("the subject among the values", "base", "--values|v*,ID", Refused(&["--values", "`ID`", "leave it out"])),
    mistake("every column", "base", "--values|*", Released("the subject's column is no value")),
    mistake("a seed alone", "base", "!--ledger|--seed|1", Refused(&["required", "--not-private"])),
    mistake("a seed with a ledger", "base", "--seed|1", Refused(&["--seed", "cannot be used with", "--ledger"])),
    mistake(
        "labels without a column of groups",
        "base",
        "--private-labels|a,b",
        Refused(&["--private-labels", "groups (--by)", "leave --private-labels out"]),
    ),
    mistake(
        "a ledger that is not there",
        "base",
        "--ledger|none.ledger",
        Refused(&["--ledger", "no such file", "ledger create"]),
    ),
    mistake(
        "a folder that is not there",
        "base",
        "--out|no/such/out",
        Refused(&["--out", "cannot write", "parent exists"]),
    ),
    mistake("a file in the place of the folder", "base", "--out|base.csv", Refused(&["--out", "is not a directory"])),
    mistake("a grid with a word", "base", "--grid|0,end", Refused(&["--grid", "list of numbers", "uniform:0,24"])),
    mistake(
        "points from names that say nothing",
        "words",
        "--values|*|--grid|names",
        Refused(&["--grid", "do not say where", "--grid names"]),
    ),
    mistake("a code that is empty", "base", "--missing|-999,", Refused(&["--missing", "empty", "-999,NULL"])),
];

/// Mistakes in the file.
pub const FILES: [Mistake; 25] = [
    mistake("no header", "nohead", "", Refused(&["CURVES.csv", "no header", "6 numbers", "put a line of names"])),
    mistake(
        "no header, and every column",
        "nohead",
        "--values|*|!--subject",
        Refused(&["CURVES.csv", "no header", "class of the curve", "put a line of names"]),
    ),
    mistake("an empty file", "emptyf", "", Refused(&["CURVES.csv", "empty", "must name the columns"])),
    mistake("a header alone", "headonly", "", Refused(&["CURVES.csv", "at least 2 records", "got 0", "more people"])),
    mistake("one row", "onerow", "", Refused(&["CURVES.csv", "at least 2 records", "got 1", "more people"])),
    mistake("one point", "one", "", Refused(&["--values", "only column `v0`", "at least 2 points"])),
    mistake(
        "a row that is too short",
        "ragged",
        "",
        Refused(&["CURVES.csv", "data row 6", "5 cells", "one cell for each"]),
    ),
    mistake(
        "a row without an id",
        "idmissing",
        "",
        Refused(&["CURVES.csv", "data row 6", "`ID`", "must belong to a subject"]),
    ),
    mistake(
        "an id that says NA",
        "idna",
        "",
        Refused(&["CURVES.csv", "data row 6", "`ID`", "must belong to a subject"]),
    ),
    mistake("white space around an id", "idspace", "", Released("white space around an id is no matter")),
    mistake(
        "a file in an older encoding",
        "latin1",
        "--values|gr\u{f6}\u{df}e*",
        Refused(&["--values", "UTF-8", "save it as UTF-8"]),
    ),
    mistake(
        "names with spaces",
        "spaces",
        "",
        Refused(&["--subject", "no column is named `ID`", "first line of the file"]),
    ),
    mistake("names with spaces, quoted", "spaces", "--values|v *|--subject|My ID", Released("names may hold spaces")),
    mistake("a name twice", "dup", "", Refused(&["--values", "`v0`", "rename one"])),
    mistake(
        "blank lines",
        "blank",
        "",
        Refused(&["CURVES.csv", "blank line before data row 21", "line after the one before"]),
    ),
    mistake(
        "a row that sums up the others",
        "total",
        "",
        Refused(&["CURVES.csv", "data row 21", "`ID`", "remove the row", "rename"]),
    ),
    mistake(
        "names that are unsorted numbers",
        "num",
        "--values|*",
        Refused(&["--values", "1,2,3,10,20", "--grid uniform"]),
    ),
    mistake(
        "names with unsorted numbers",
        "sci",
        "--values|t*",
        Refused(&["--values", "t1,t2,t3,t4,t10", "--grid uniform"]),
    ),
    mistake("a year among the hours", "year", "--values|*", Refused(&["--values", "`YEAR`", "narrower pattern"])),
    mistake(
        "hours at unequal distances",
        "unequal",
        "--values|h*",
        Refused(&["--grid", "unequal distances", "--grid names"]),
    ),
    mistake("the same with an interval", "unequal", "--values|h*|--grid|0,24", Refused(&["--grid", "uniform:A,B"])),
    mistake(
        "the same by their names",
        "unequal",
        "--values|h*|--grid|names",
        Released("the grid is 0, 2, 20, 21 and 22"),
    ),
    mistake(
        "months in the order of the alphabet",
        "months",
        "--values|*",
        Refused(&["--values", "Jan,Feb,Mar,Apr,May"]),
    ),
    mistake(
        "a long table",
        "long",
        "--values|value|--subject|ID",
        Refused(&["--values", "only column `value`", "one row for each curve"]),
    ),
    mistake(
        "an archive of time series",
        "archive",
        "--values|*",
        Refused(&["CURVES.csv", "collection of time series", "as CSV"]),
    ),
];

/// One cell of the fourth row, as people write what is missing, and what is not.
pub const CELLS: [(&str, &str, Outcome); 24] = [
    ("empty", "", Released(MISSING)),
    ("NA", "NA", Released(MISSING)),
    ("NaN", "NaN", Released(MISSING)),
    ("NULL", "NULL", Released(MISSING)),
    ("None", "None", Released(MISSING)),
    ("a dot", ".", Released(MISSING)),
    ("a dash", "-", Released(MISSING)),
    ("a question mark", "?", Released(MISSING)),
    ("#N/A", "#N/A", Released(MISSING)),
    ("N/A", "N/A", Released(MISSING)),
    ("na", "na", Released(MISSING)),
    ("missing", "missing", Released(MISSING)),
    ("NA between spaces", " NA ", Released(MISSING)),
    ("a number between spaces", " 0.5 ", Released("white space around a number is no matter")),
    ("a decimal comma", "\"0,5\"", Refused(NO_NUMBER)),
    ("a comma between thousands", "\"1,000\"", Refused(NO_NUMBER)),
    ("a percentage", "50%", Refused(NO_NUMBER)),
    ("below the limit of detection", "<0.5", Refused(NO_NUMBER)),
    ("a word", "abc", Refused(NO_NUMBER)),
    ("Inf", "Inf", Refused(INFINITE)),
    ("-inf", "-inf", Refused(INFINITE)),
    ("1e400", "1e400", Refused(INFINITE)),
    ("1e300", "1e300", Refused(INFINITE)),
    ("-999", "-999", Refused(&["CURVES.csv", "data row 4", "`v1`", "-999, -9999 and -99999", "--missing -999"])),
];
