//! `dpfda release --plan-only`, `dpfda part` and `dpfda merge`: curves, or rows of values, that are in several places.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dpfda::kinds::Kind as Estimable;
use dpfda::mechanism::{Digest, Fact, FingerprintKey, Head, PartError, PartialError, Payable, Release, Source};
use dpfda::privacy::{NonPrivate, PrivacyUnit, SystemRandomness};
use dpfda::release::{FileEncoding, InParts, Mean, MeanDomain, Part, Plan, ReleaseError, Rows, Surface};
use dpfda::smoothing::{CurveLayout, CurveSource, GridChoice, TableFiles};
use dpfda_study::{
    Account, AskedMean, AskedRows, AskedSurface, BandChoice, Checked, Finish, Kind, Stream, Table, check_names,
    columns_in_words, encode, read_rows,
};
use serde::de::IgnoredAny;

use crate::age;
use crate::argument::Argument;
use crate::arguments::{MergeArguments, PartialArguments, ReleaseArguments};
use crate::error::CliError;
use crate::input::{self, whole};
use crate::look::Look;
use crate::misasked::Misasked;
use crate::new_file::NewFile;
use crate::output::Contents;
use crate::paying::Paying;
use crate::progress::Bars;
use crate::publication::Door;
use crate::request::{Request, split};
use crate::shown::{said, shown};
use crate::study_file::{folder, of_file};
use crate::summary::CURATOR_ONLY;
use crate::told::listed;
use crate::unread::Unread;

mod refusal;
mod steps;
mod usual;

pub use refusal::PartsRefusal;

use usual::check_usual;

/// The largest plan and the largest part that are read, in bytes.
const LARGEST_PLAN: u64 = 1 << 28;
const LARGEST_PART: u64 = 1 << 34;

/// Writes the plan of a release, and a key where records are subjects. Of the private files only a header is read.
pub fn plan(request: &Request<'_>, arguments: &ReleaseArguments) -> Result<String, CliError> {
    let (study, path) = (&request.study, request.data);
    let refused = |error: CliError| input::in_file(Argument::Curves, path, error);
    let header = |layout: &CurveLayout| {
        let first = TableFiles::find(path).and_then(|files| files.open(0, layout));
        first.map_err(|error| refused(error.into()))
    };
    match study.kind {
        Kind::Rows => {
            let asked = AskedRows::of(study)?;
            // the columns must be there
            header(&asked.layout()?)?;
            write_plan(arguments, &asked.on_domain()?.plan()?, study, None)
        }
        Kind::Surface => {
            let asked = AskedSurface::of(study)?;
            let first = header(&asked.layout()?)?;
            let plan = asked.plan(first.grid().len(), first.has_subjects(), None);
            let plan = plan.map_err(|error| refused(error.into()))?;
            write_plan(arguments, &plan, study, first.column_names())
        }
        _ => {
            let asked = AskedMean::of(study)?;
            let first = header(&asked.layout()?)?;
            let plan = asked.plan(first.grid(), first.has_subjects(), None).map_err(|error| refused(error.into()))?;
            write_plan(arguments, &plan, study, first.column_names())
        }
    }
}

fn write_plan<S: InParts>(
    arguments: &ReleaseArguments,
    plan: &Plan<S>,
    study: &Checked,
    names: Option<Vec<&str>>,
) -> Result<String, CliError> {
    let plan = plan.following(Some(study.digest())).of_table(Some(study.table_of_parts(names)));
    let target = arguments.plan_only.as_deref().unwrap_or_else(|| Path::new(""));
    let file = NewFile::check("--plan-only", target)?;
    let key_path = beside(target);
    let key = (plan.unit() == PrivacyUnit::Subject).then(|| NewFile::check("--plan-only", &key_path)).transpose()?;
    file.write((serde_json::to_string_pretty(&plan)? + "\n").as_bytes())?;
    let public = format!("{}; public: give it to everybody who has a part of the data", shown(target));
    let mut facts = vec![Fact::new("plan", public), Fact::new("digest", plan.digest().to_string())];
    if let Some(key) = key {
        let secret = FingerprintKey::new(&mut SystemRandomness::new()?);
        key.write_secret(hexadecimal(secret.reveal()).as_bytes())?;
        let note = format!(
            "{}; SECRET: give it only to those who encode a part, by a way that nobody else can read. It finds a subject who is in \
             two parts. Whoever has it and a part can test guesses at who is in that part",
            shown(&key_path)
        );
        facts.push(Fact::new("key", note));
    }
    let again = if plan.is_twice() {
        " A centre is bought: `dpfda merge` writes a second plan first, by which all parts are encoded once more."
    } else {
        ""
    };
    let next =
        format!("`dpfda part` for each part, then `dpfda merge` for all of them.{again} Nothing was drawn or spent.");
    facts.push(Fact::new("next", next));
    Ok(listed(&facts, arguments.answer.json)?)
}

/// Encodes one part.
pub fn partial(arguments: &PartialArguments) -> Result<String, CliError> {
    let file = NewFile::check("--out", &arguments.out)?;
    let plan = AnyPlan::read(&arguments.plan)?;
    let key = arguments.key.as_deref().map(read_key).transpose()?;
    let (bytes, mut facts) = match &plan {
        AnyPlan::Mean(plan) => encoded(plan, arguments, key)?,
        AnyPlan::Surface(plan) => encoded(plan, arguments, key)?,
        AnyPlan::Rows(plan) => encoded_rows(plan, arguments, key)?,
    };
    if let Some(recipient) = &arguments.to {
        let encrypted = age::encrypt(bytes.reveal(), recipient).map_err(PartsRefusal::To)?;
        file.write_secret(&encrypted)?;
        let note = format!(
            "the part {} is in {}, encrypted: only the holder of the secret key can read it. Nothing was drawn or spent.",
            arguments.part,
            shown(&arguments.out)
        );
        facts.push(Fact::new("", note));
        return Ok(listed(&facts, arguments.answer.json)?);
    }
    file.write_secret(bytes.reveal())?;
    let note = format!(
        "the part {} is in {}. It holds exact sums WITHOUT NOISE: whoever reads it learns them, and of a part of one record that \
         record itself. Keep it as you keep the data, and encrypt it before it travels. Nothing was drawn or spent.",
        arguments.part,
        shown(&arguments.out)
    );
    facts.push(Fact::new("", note));
    let told = listed(&facts, arguments.answer.json)?;
    Ok(if arguments.answer.json { told } else { format!("{CURATOR_ONLY}\n{told}") })
}

/// How the table of a part is read, as a study, options or the plan say; and where it lies.
fn table<'a, S: InParts>(arguments: &'a PartialArguments, plan: &Plan<S>) -> Result<(Table, &'a Path), CliError> {
    let (file, data) = split(&arguments.files)?;
    let Some(file) = file else { return Ok((arguments.settings.table.or_of_plan(plan.table())?, data)) };
    let study = arguments.settings.study(Some(file), None)?.check(folder(Some(file)));
    let study = study.map_err(|refusal| of_file(file, refusal))?;
    if plan.study() != Some(study.digest()) {
        return Err(PartsRefusal::OtherStudy.into());
    }
    Ok((study.table.clone(), data))
}

/// The bytes of a part of curves or surfaces, and which column is which point: whoever has another table than the plan sees it there.
fn encoded<D: MeanDomain>(
    plan: &Plan<Mean<D>>,
    arguments: &PartialArguments,
    key: Option<FingerprintKey>,
) -> Result<(NonPrivate<Vec<u8>>, Vec<Fact>), CliError> {
    let (table, path) = &table(arguments, plan)?;
    if [&table.id, &table.time, &table.value].iter().any(|column| column.is_some()) {
        return Err(PartsRefusal::NoRows.into());
    }
    if arguments.work.sorted_by_subject && table.subject.is_none() {
        return Err(Misasked::NoOrder.into());
    }
    if table.values.is_none() {
        return Err(PartsRefusal::NeedsValues.into());
    }
    match (plan.unit(), &table.subject, &key) {
        (PrivacyUnit::Subject, Some(_), Some(_)) | (PrivacyUnit::Curve, None, _) => {}
        (PrivacyUnit::Subject, ..) => return Err(PartsRefusal::NeedsSubject.into()),
        (PrivacyUnit::Curve, ..) => return Err(PartsRefusal::NoSubject.into()),
    }
    let refused = |error: CliError| input::in_file(Argument::Curves, path, error);
    let layout = table.wide()?.grid(GridChoice::Of(plan.columns()));
    let files = TableFiles::find(path).map_err(|error| refused(error.into()))?;
    let stream = Stream::open(files, &layout, &Bars).map_err(|error| refused(error.into()))?;
    let work = arguments.work.work();
    let encoding = FileEncoding { part: arguments.part.clone(), key, threads: work.threads(), sorted: work.is_sorted };
    let names = stream.first.column_names();
    check_names(plan.table(), names.as_deref())?;
    let points = columns_in_words(&plan.columns(), names.as_deref());
    let part = encode(plan, stream, &layout, encoding, &Bars).map_err(|error| refused(error.into()))?;
    Ok((part.reveal(), vec![Fact::new("grid", points)]))
}

/// The bytes of a part of a long table.
fn encoded_rows(
    plan: &Plan<Rows>,
    arguments: &PartialArguments,
    key: Option<FingerprintKey>,
) -> Result<(NonPrivate<Vec<u8>>, Vec<Fact>), CliError> {
    let (table, path) = &table(arguments, plan)?;
    let is_long = table.id.is_some() && table.time.is_some() && table.value.is_some();
    if !is_long || table.values.is_some() || table.subject.is_some() || arguments.work.sorted_by_subject {
        return Err(PartsRefusal::NeedsRows.into());
    }
    let key = key.ok_or(PartsRefusal::NeedsKey)?;
    let layout = table.long()?;
    let refused = |error: CliError| input::in_file(Argument::Curves, path, error);
    let files = TableFiles::find(path).map_err(|error| refused(error.into()))?;
    let (rows, _) = read_rows(&files, &layout, plan.rows(), None, &Bars).map_err(|error| refused(error.into()))?;
    let part = rows.part(arguments.part.clone(), Some(&key));
    let part = part.map_err(|error| refused(ReleaseError::from(error).into()))?;
    Ok((part.reveal(), Vec::new()))
}

/// Joins all parts and releases the mean: **spends the budget**. Where a centre is bought, the first of two steps buys it.
pub fn merge(arguments: &MergeArguments) -> Result<String, CliError> {
    let band = BandChoice::check(&arguments.settings.estimate)?;
    let plan = AnyPlan::read(&arguments.plan)?;
    if plan.is_twice() && arguments.account.ledger.is_none() && arguments.demonstration.seed.is_none() {
        return Err(PartsRefusal::NeedsLedger.into());
    }
    if plan.is_first() {
        return match (joined(arguments, &plan)?, &plan) {
            ((AnyPart::Mean(part), _), AnyPlan::Mean(plan)) => steps::first(part, plan, arguments),
            ((AnyPart::Surface(part), _), AnyPlan::Surface(plan)) => steps::first(part, plan, arguments),
            _ => unreachable!("all were read by this plan, and rows buy no centre"),
        };
    }
    let inputs: Vec<&Path> = arguments.parts.iter().chain([&arguments.plan]).map(PathBuf::as_path).collect();
    let door =
        Door::open(&arguments.output, Contents::Release, &arguments.account, arguments.demonstration.seed, &inputs)?;
    let look = Look::of(&arguments.settings);
    let paying = Paying { door: door.printing_json(arguments.answer.json), look };
    match (joined(arguments, &plan)?, &plan) {
        ((AnyPart::Mean(part), None), AnyPlan::Mean(plan)) => {
            let prepared = part.prepare(plan).map_err(|again| CliError::from(again.reason))?;
            released(paying, prepared, plan, arguments, &band)
        }
        ((AnyPart::Mean(part), Some(AnyPart::Mean(again))), AnyPlan::Mean(plan)) => {
            released(paying, steps::second(part, again, plan, arguments)?, plan, arguments, &band)
        }
        ((AnyPart::Surface(part), None), AnyPlan::Surface(plan)) => {
            let prepared = part.prepare(plan).map_err(|again| CliError::from(again.reason))?;
            band.check_surface()?;
            plainly(paying, prepared, plan.study(), arguments, &band)
        }
        ((AnyPart::Surface(part), Some(AnyPart::Surface(again))), AnyPlan::Surface(plan)) => {
            band.check_surface()?;
            plainly(paying, steps::second(part, again, plan, arguments)?, plan.study(), arguments, &band)
        }
        ((AnyPart::Rows(part), _), AnyPlan::Rows(plan)) => {
            band.check_mechanism(false)?;
            band.check_moments(false)?;
            let prepared = part.prepare(plan).map_err(|again| CliError::from(again.reason))?;
            plainly(paying, prepared, plan.study(), arguments, &band)
        }
        _ => unreachable!("all were read by this plan"),
    }
}

/// All parts as one, and as another those that were encoded about the centre of the plan, where it has one.
fn joined(arguments: &MergeArguments, plan: &AnyPlan) -> Result<(AnyPart, Option<AnyPart>), CliError> {
    let (mut first, mut again): (Option<AnyPart>, Option<AnyPart>) = (None, None);
    for path in &arguments.parts {
        let refused = |reason| PartsRefusal::Merge { path: path.clone(), reason };
        let part = AnyPart::read(path, arguments.identity.as_deref(), plan)?;
        let joined = if part.is_again() { &mut again } else { &mut first };
        match joined {
            Some(joined) => joined.merge(part).map_err(refused)?,
            None => *joined = Some(part),
        }
    }
    let names = |part: &Option<AnyPart>| part.as_ref().map(AnyPart::names).unwrap_or_default();
    let (of_first, of_again) = (names(&first), names(&again));
    let alone = of_first.symmetric_difference(&of_again).next().filter(|_| plan.is_twice() && !plan.is_first());
    match (first, alone) {
        (Some(first), None) => Ok((first, again)),
        (_, alone) => Err(PartsRefusal::BothSteps { part: alone.cloned().unwrap_or_default() }.into()),
    }
}

fn released(
    paying: Paying<'_>,
    prepared: impl Payable<Drawn = Release<Mean>>,
    plan: &Plan<Mean>,
    arguments: &MergeArguments,
    band: &BandChoice,
) -> Result<String, CliError> {
    band.check_mechanism(plan.mechanism().statistic().mechanism().tells_all())?;
    band.check_moments(plan.mechanism().statistic().moments().is_some())?;
    let viewer = plan.viewer()?;
    check_usual(&prepared.asked(), arguments)?;
    let (labels, source) = (arguments.settings.labels(), source(arguments, plan.study()));
    let finish = Finish::new(labels, source, move |drawn| viewer.view(drawn), |release| band.estimate(release, false));
    paying.pay(prepared, finish)
}

/// The same of a release that has no smoother.
fn plainly<S: Estimable<View = Release<S>>>(
    paying: Paying<'_>,
    prepared: impl Payable<Drawn = Release<S>>,
    study: Option<Digest>,
    arguments: &MergeArguments,
    band: &BandChoice,
) -> Result<String, CliError> {
    check_usual(&prepared.asked(), arguments)?;
    let (labels, source) = (arguments.settings.labels(), source(arguments, study));
    paying.pay(prepared, Finish::plain(labels, source, band))
}

/// The plan is read from public columns of several tables: the reason is told, and the study that the plan follows.
fn source(arguments: &MergeArguments, study: Option<Digest>) -> Option<Source> {
    let source = Source::empty().because(arguments.settings.privacy.reason()).ok()?.following(study);
    Some(source).filter(|source| source.reason().is_some() || source.study().is_some())
}

/// The file of the key beside a plan.
fn beside(plan: &Path) -> PathBuf {
    plan.with_extension("key")
}

/// The digits of a key, and the end of the line.
fn hexadecimal(key: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    key.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).chain(['\n']).collect()
}

enum AnyPlan {
    Mean(Plan<Mean>),
    Surface(Plan<Surface>),
    Rows(Plan<Rows>),
}

impl AnyPlan {
    fn read(path: &Path) -> Result<Self, CliError> {
        let unread = |error| match error {
            CliError::Unread(Unread::ReadRelease { path, source }) => {
                PartsRefusal::Plan { path, reason: said(&source) }.into()
            }
            CliError::Unread(Unread::NotJson { path }) => {
                PartsRefusal::Plan { path, reason: "it is not a JSON document".to_owned() }.into()
            }
            other => other,
        };
        let text = input::document(path, LARGEST_PLAN).map_err(unread)?;
        let refused =
            |error: serde_json::Error| PartsRefusal::Plan { path: path.to_owned(), reason: error.to_string() };
        // a damaged text is of no kind
        let _: IgnoredAny = serde_json::from_str(&text).map_err(refused)?;
        let kind = Head::read(&text).map(|head| head.kind).unwrap_or_default();
        let plan = if kind == Plan::<Rows>::kind() {
            serde_json::from_str(&text).map(Self::Rows)
        } else if kind == Plan::<Surface>::kind() {
            serde_json::from_str(&text).map(Self::Surface)
        } else {
            serde_json::from_str(&text).map(Self::Mean)
        };
        Ok(plan.map_err(refused)?)
    }
}

impl AnyPlan {
    /// Whether parts are encoded twice.
    fn is_twice(&self) -> bool {
        match self {
            Self::Mean(plan) => plan.is_twice(),
            Self::Surface(plan) => plan.is_twice(),
            Self::Rows(plan) => plan.is_twice(),
        }
    }

    /// Whether parts are encoded for the first of two times.
    fn is_first(&self) -> bool {
        match self {
            Self::Mean(plan) => plan.is_first(),
            Self::Surface(plan) => plan.is_first(),
            Self::Rows(plan) => plan.is_first(),
        }
    }

    fn digest(&self) -> Digest {
        match self {
            Self::Mean(plan) => plan.digest(),
            Self::Surface(plan) => plan.digest(),
            Self::Rows(plan) => plan.digest(),
        }
    }
}

fn read_key(path: &Path) -> Result<FingerprintKey, CliError> {
    let open = |source| CliError::Open { argument: Argument::Key, path: path.to_owned(), source };
    let bytes = whole(path, 1 << 10).map_err(open)?;
    let digits: Option<Vec<u8>> = bytes
        .trim_ascii()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?, 16).ok())
        .collect();
    let key: Option<[u8; 32]> = digits.and_then(|digits| digits.try_into().ok());
    Ok(key.map(FingerprintKey::from_bytes).ok_or_else(|| PartsRefusal::Key { path: path.to_owned() })?)
}

/// A part of curves, of surfaces, or of a long table, by its plan.
#[allow(clippy::large_enum_variant, reason = "a handful at a time")]
enum AnyPart {
    Mean(Part<Mean>),
    Surface(Part<Surface>),
    Rows(Part<Rows>),
}

impl AnyPart {
    fn read(path: &Path, identity: Option<&Path>, plan: &AnyPlan) -> Result<Self, CliError> {
        let open = |source| CliError::Open { argument: Argument::Part, path: path.to_owned(), source };
        let bytes = whole(path, LARGEST_PART).map_err(open)?;
        let bytes = match identity {
            _ if !age::is_encrypted(&bytes) => bytes,
            None => return Err(PartsRefusal::Encrypted { path: path.to_owned() }.into()),
            Some(identity) => {
                let refused = |reason| PartsRefusal::Identity { path: path.to_owned(), reason };
                age::decrypt(&bytes, identity).map_err(refused)?
            }
        };
        let part = match plan {
            AnyPlan::Mean(plan) => Part::read_by(plan, &bytes).map(Self::Mean),
            AnyPlan::Surface(plan) => Part::read_by(plan, &bytes).map(Self::Surface),
            AnyPlan::Rows(plan) => Part::read_by(plan, &bytes).map(Self::Rows),
        };
        let path = path.to_owned();
        Ok(part.map_err(|reason| match reason {
            PartError::OtherPlan => PartsRefusal::OtherPlan { path, digest: plan.digest() },
            reason => PartsRefusal::Part { path, reason },
        })?)
    }

    /// Whether it was encoded about a centre that was bought.
    fn is_again(&self) -> bool {
        match self {
            Self::Mean(part) => part.plan().is_second(),
            Self::Surface(part) => part.plan().is_second(),
            Self::Rows(part) => part.plan().is_second(),
        }
    }

    /// What the parts in it are called.
    fn names(&self) -> BTreeSet<String> {
        let names = match self {
            Self::Mean(part) => part.parts(),
            Self::Surface(part) => part.parts(),
            Self::Rows(part) => part.parts(),
        };
        names.into_iter().collect()
    }

    fn merge(&mut self, other: Self) -> Result<(), ReleaseError> {
        match (self, other) {
            (Self::Mean(mine), Self::Mean(theirs)) => mine.merge(theirs).map_err(|again| again.reason),
            (Self::Surface(mine), Self::Surface(theirs)) => mine.merge(theirs).map_err(|again| again.reason),
            (Self::Rows(mine), Self::Rows(theirs)) => mine.merge(theirs).map_err(|again| again.reason),
            _ => Err(PartialError::OtherPlan.into()),
        }
    }
}
