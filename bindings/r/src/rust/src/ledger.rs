//! The account of what was released of a data set. Everything that is shown of it is public.

use dpfda::AnyRelease;
use dpfda::ledger::{GroupName, Ledger, LedgerEvent, LedgerTerms};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};
use dpfda_report::{Document, Report};

use crate::out::Out;
use crate::refusal::Refusal;
use crate::study::OfR;

fn one_of<T: Copy>(setting: &str, word: &str, known: [(&str, T); 2]) -> Result<T, Refusal> {
    let found = known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    found.ok_or_else(|| Refusal::new(setting, format!("`{setting}` must be {:?} or {:?}", known[0].0, known[1].0)))
}

/// Creates a ledger in a new file.
///
/// # Errors
/// [`Refusal`] for terms that no ledger has, and for a file that is there already.
pub fn create(
    path: &str,
    [dataset, unit, neighbours]: [&str; 3],
    budget: (f64, f64),
    groups: &[String],
) -> Result<Out, Refusal> {
    let unit = one_of("unit", unit, [("subject", PrivacyUnit::Subject), ("curve", PrivacyUnit::Curve)])?;
    let relations =
        [("substitute", NeighbouringRelation::SubstituteOne), ("add-remove", NeighbouringRelation::AddRemoveOne)];
    let relation = one_of("neighbours", neighbours, relations)?;
    let mut terms = LedgerTerms::new(dataset, unit, relation, PrivacyBudget::new(budget.0, budget.1)?)?;
    if !groups.is_empty() {
        let groups = groups.iter().map(|group| group.parse()).collect::<Result<Vec<GroupName>, _>>();
        terms = terms.with_groups(groups.map_err(|error| Refusal::from(error).at("groups"))?)?;
    }
    Ledger::create(path.as_ref(), &terms)?;
    Ok(Out::Null)
}

/// What was spent, what is left, and which releases were paid for.
///
/// # Errors
/// [`Refusal`] for a file that is no ledger.
pub fn shown(path: &str) -> Result<Out, Refusal> {
    let history = Ledger::open(path.as_ref())?.history()?;
    let (terms, accounts, total) = (history.terms(), history.accounts(), history.terms().total());
    let left = accounts.remaining(&total, None);
    let (mut ids, mut kinds, mut epsilons, mut deltas) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for entry in history.entries() {
        if let LedgerEvent::Spent { request, .. } = &entry.event {
            ids.push(request.id().to_string());
            kinds.push(request.kind().to_owned());
            epsilons.push(request.guarantee().budget().epsilon());
            deltas.push(request.guarantee().budget().delta());
        }
    }
    Ok(Out::named([
        ("terms", serde_json::to_string(terms)?.into()),
        ("total", vec![total.epsilon(), total.delta()].into()),
        ("spent", vec![accounts.epsilon(total.delta()), total.delta()].into()),
        ("left", serde_json::to_string(&left)?.into()),
        (
            "releases",
            Out::named([
                ("id", ids.into()),
                ("kind", kinds.into()),
                ("epsilon", epsilons.into()),
                ("delta", deltas.into()),
            ]),
        ),
    ]))
}

/// One page for each release, and one for the ledger that paid for them, as HTML.
///
/// # Errors
/// [`Refusal`] for a document that is no release, and for a file that is no ledger.
pub fn report(documents: &[String], path: Option<&str>) -> Result<String, Refusal> {
    let history = path.map(|path| Ledger::open(path.as_ref())?.history()).transpose()?;
    let documents = documents.iter().map(|text| Document::from_json(text)).collect::<Result<Vec<_>, _>>();
    let documents = documents.map_err(|error| Refusal::of_document(&error))?;
    let page = Report::of(&documents, history.as_ref()).and_then(|report| report.to_html());
    page.map_err(|error| Refusal::new("release", error))
}

/// What a release says of a study or of a ledger, and they do not; nothing where they agree.
///
/// # Errors
/// [`Refusal`] for a document that is no release, and for a release without a ledger where one is given.
pub fn mismatches(document: &str, study: Option<&OfR>, ledger: Option<&str>) -> Result<Out, Refusal> {
    let release = AnyRelease::from_json(document).map_err(|error| Refusal::of_document(&error))?;
    let mut found = Vec::new();
    if let Some(study) = study {
        let digest = study.checked.digest().to_string();
        let value: serde_json::Value = serde_json::from_str(document)?;
        let followed = value.pointer("/source/study").and_then(serde_json::Value::as_str);
        if followed != Some(&digest) {
            let other = followed.map_or("no study".to_owned(), |other| format!("the study with the digest {other}"));
            found.push(format!("the release follows {other}, and the digest of the given study is {digest}"));
        }
        let setting = study.checked.disagreement(release.guarantee());
        found.extend(
            setting.map(|setting| format!("the guarantee of the release has another `{setting}` than the study")),
        );
    }
    if let Some(path) = ledger {
        let claim = release.claim().ok_or_else(|| Refusal::document("no ledger paid for this release"))?;
        let history = Ledger::open(path.as_ref())?.history()?;
        found.extend(history.verify(&claim).iter().map(ToString::to_string));
    }
    Ok(found.into())
}
