//! Which settings go together, and what must be said: decided here, once, for every door.

use dpfda::mechanism::exact;
use dpfda::release::{Centiles, ReleaseError};
use dpfda::smoothing::stated_name;

use crate::advice::advice;
use crate::blame::Blame;
use crate::choices::{BandName, GapsName, SelectName};
use crate::kind::Kind;
use crate::memory::TextAsked;
use crate::refusal::Refusal;
use crate::sections::{Estimate, Privacy, SETTINGS, Sections};
use crate::study::Study;
use crate::texts::{BUDGET, EPSILON, PUBLIC_BOUND, PUBLIC_BOX, PUBLIC_RANGE, in_a_row, not_given};
use crate::value::Value;

/// The largest delta that needs no reason.
const LARGEST_DELTA: f64 = 0.1;

impl Study {
    /// Refuses a setting that the kind does not have, settings that exclude each other, and what is missing.
    pub(crate) fn check_rules(&self) -> Result<(), Refusal> {
        self.check_kind()?;
        self.check_pairs()?;
        self.check_layout().map_err(|refusal| self.with_what_else_is_missing(refusal))?;
        self.check_bound()?;
        self.check_labels()?;
        if let Some(shown) = self.centiles.centiles.as_deref().filter(|_| self.kind == Kind::Centiles) {
            Centiles::check_shown(shown).map_err(ReleaseError::from)?;
        }
        self.check_guarantee()?;
        // no density has an epsilon and a delta of 0, for whatever reason: its mechanism says so
        if self.kind != Kind::Density || self.privacy.delta.is_some_and(|delta| delta > 0.0) {
            self.privacy.check_usual()?;
        }
        self.estimate.check()?;
        self.check_ends()?;
        self.check_columns()
    }

    /// A refusal of a study without columns also says what else has to be said, so that nobody learns of it one by one.
    fn with_what_else_is_missing(&self, refusal: Refusal) -> Refusal {
        let is_said = |name: &&str| self.get(name).is_some();
        let has_bound = ["bounds", "center", "radius"].iter().any(is_said);
        let has_budget = ["epsilon", "delta"].iter().any(is_said);
        if refusal.blame != Blame::of("") || (has_bound && has_budget) {
            return refusal;
        }
        let budget: &[&str] = match (has_budget, self.kind) {
            (true, _) => &[],
            (false, Kind::Density) => &["epsilon"],
            (false, _) => &["epsilon", "delta"],
        };
        let missing = [budget, if has_bound { &[] } else { &["bounds"] }].concat();
        let missing: Vec<String> = missing.iter().map(|name| format!("{{{name}}}")).collect();
        let too = format!("a release needs {} as well", in_a_row(&missing));
        Refusal { instead: Some(refusal.instead.map_or(too.clone(), |instead| format!("{instead}; {too}"))), ..refusal }
    }

    /// Refuses the first setting, and the first word, that other kinds have.
    pub(crate) fn check_kind(&self) -> Result<(), Refusal> {
        let kind = self.kind;
        for setting in SETTINGS {
            let Some(value) = self.get(setting.name) else { continue };
            let name = setting.name;
            if !setting.is_of(kind) {
                let of: Vec<&str> = setting.kinds.iter().map(|kind| kind.in_words()).collect();
                let why =
                    format!("{{{name}}} is not a setting of {}: it is one of {}", kind.in_words(), of.join(", or "));
                let asked_by = match setting.kinds {
                    [one] => one.asked_by().map(|by| format!("; {by} asks for {}", one.in_words())),
                    _ => None,
                };
                let instead = format!("leave {{{name}}} out{}", asked_by.unwrap_or_default());
                return Err(Refusal::of(name, why).instead(instead));
            }
            let words = setting.words(&[kind]);
            if let Value::Text(word) = &value
                && matches!(setting.form, crate::value::Form::Words(_))
                && !words.iter().any(|known| known.name == word)
            {
                let known: Vec<&str> = words.iter().map(|word| word.name).collect();
                let why = format!("{} has no {word}: it has {}", kind.in_words(), known.join(", "));
                return Err(Refusal::of(name, why));
            }
        }
        Ok(())
    }

    /// Refuses settings that cannot stand together, or stand for nothing alone.
    fn check_pairs(&self) -> Result<(), Refusal> {
        const APART: [(&str, &str); 5] = [
            ("bounds", "center"),
            ("bounds", "radius"),
            ("slope", "roughness"),
            ("unit", "subject"),
            ("change", "per"),
        ];
        let is_said = |name: &str| self.get(name).is_some();
        for (one, other) in APART {
            // centiles have a typical curve and a distance beside their bounds
            let is_together = self.kind == Kind::Centiles && one == "bounds";
            if is_said(one) && is_said(other) && !is_together {
                let why = format!("{{{one}}} cannot be used with {{{other}}}: each stands in place of the other");
                return Err(Refusal::of(one, why).instead(format!("leave one of {{{one}}} and {{{other}}} out")));
            }
        }
        let is_process = self.table.gaps == Some(GapsName::GaussianProcess);
        for name in ["gaps_kernel", "gaps_range", "gaps_noise"] {
            if is_said(name) && !is_process {
                let why = format!("{{{name}}} cannot be used without {{gaps}} gaussian-process");
                return Err(Refusal::of(name, why).instead(format!("leave {{{name}}} out")));
            }
        }
        if self.kind == Kind::Centiles && is_said("bins") && !self.is_of_rows() {
            return Err(Refusal::of(
                "bins",
                "only rows count at the nearest of so many points: curves have points of their own",
            ));
        }
        if is_said("apart") && !is_said("per") {
            return Err(Refusal::of("apart", "only slopes have it: give {per}, or leave it out"));
        }
        if is_said("groups_of_subject") && !is_said("private_labels") {
            return Err(Refusal::of(
                "groups_of_subject",
                "only private labels have it: give {private_labels}, or leave it out",
            ));
        }
        Ok(())
    }

    /// Refuses private labels that are not of two groups or more.
    fn check_labels(&self) -> Result<(), Refusal> {
        let Some(labels) = &self.groups.private_labels else { return Ok(()) };
        let refused = |why| {
            Err(Refusal::of("private_labels", why)
                .instead("give a label for each group, such as {private_labels=case,control}"))
        };
        if labels.len() < 2 {
            return refused(format!("there are at least 2 groups, and this is {}", labels.len()));
        }
        let said: Vec<_> = labels.iter().map(|label| stated_name(label)).collect();
        match (0..labels.len()).find(|place| said[*place].is_some() && said[..*place].contains(&said[*place])) {
            Some(place) => refused(format!(
                "each group needs a name of its own: `{}` says the same as a label before it",
                labels[place].escape_debug()
            )),
            None => Ok(()),
        }
    }

    /// Refuses a study without a public bound.
    fn check_bound(&self) -> Result<(), Refusal> {
        let bound = &self.bound;
        if bound.expected == Some(0) {
            let instead = "give the number of people that you expect, or leave {expected} out";
            return Err(Refusal::of("expected", "a release is of people, and 0 are expected").instead(instead));
        }
        if self.kind == Kind::Density {
            let Some(bounds) = &bound.bounds else {
                return Err(Refusal::of("", format!("{}\n\n{PUBLIC_BOX}", not_given(&["bounds"]))));
            };
            return self.check_box(bounds.len());
        }
        if self.kind == Kind::Centiles && bound.bounds.is_none() {
            return Err(Refusal::of("", format!("{}\n\n{PUBLIC_RANGE}", not_given(&["bounds"]))));
        }
        self.said.check_ball()
    }

    /// Each column of a density has two numbers.
    fn check_box(&self, numbers: usize) -> Result<(), Refusal> {
        let columns = self.table.columns.as_ref().map_or(1, |columns| columns.0.len());
        if numbers == 2 * columns {
            return Ok(());
        }
        let why = format!(
            "each column needs two numbers, its lower and its upper bound; got {numbers} for {columns} of {{columns}}"
        );
        let example = ["0,1"].repeat(columns).join(",");
        Err(Refusal::of("bounds", why)
            .instead(format!("give them in the order of the columns, such as {{bounds={example}}}")))
    }

    /// Refuses a study without a budget. A density has a delta of 0 unless it says another.
    fn check_guarantee(&self) -> Result<(), Refusal> {
        match (self.kind, self.privacy.epsilon) {
            (Kind::Density, None) => Err(epsilon_not_given()),
            (Kind::Density, Some(_)) => Ok(()),
            _ => self.said.check_budget(),
        }
    }

    /// Refuses a column beside the curves that says whose a row is, or that is one of the values.
    fn check_columns(&self) -> Result<(), Refusal> {
        let layout = match &self.table.values {
            // all that nothing else names, where a front end says so of numbers in memory
            Some(values) if values == &["*"] => None,
            Some(_) => Some(self.table.wide()?),
            None => None,
        };
        for TextAsked { name, setting, .. } in self.texts()? {
            let is = if self.table.subject.as_ref() == Some(&name) {
                "says whose a row is: {subject} names it"
            } else if layout.as_ref().is_some_and(|layout| layout.takes(&name)) {
                "is one of the values: {values} takes it"
            } else {
                continue;
            };
            let why = format!("the column `{}` {is}", name.escape_debug());
            return Err(Refusal::of(setting, why).instead("give each column one use"));
        }
        Ok(())
    }

    /// Domains have two ends for each axis.
    fn check_ends(&self) -> Result<(), Refusal> {
        let found = |numbers: &Option<Vec<f64>>| numbers.as_ref().map(Vec::len);
        match (found(&self.table.domain), found(&self.surface.surface_domain)) {
            (Some(found), _) if found != 2 => {
                let why = format!("give the two ends of the times, such as {{domain=0,24}}; got {found} numbers");
                Err(Refusal::of("domain", why))
            }
            (Some(2), _) if self.table.domain.as_ref().is_some_and(|ends| ends[0] >= ends[1]) => {
                Err(Refusal::of("domain", "the first end must be below the second")
                    .instead("give them so, such as {domain=0,24}"))
            }
            (_, Some(found)) if found != 4 => {
                let why =
                    format!("give the ends of s and of t, such as {{surface_domain=0,1,0,24}}; got {found} numbers");
                Err(Refusal::of("surface_domain", why))
            }
            _ => Ok(()),
        }
    }
}

/// The refusal where there is no epsilon, and a delta has its default of 0.
pub fn epsilon_not_given() -> Refusal {
    Refusal::of("", format!("{}\n\n{EPSILON}", not_given(&["epsilon"])))
}

impl Sections {
    /// Refuses settings without epsilon and delta.
    pub fn check_budget(&self) -> Result<(), Refusal> {
        let Privacy { epsilon, delta, .. } = self.privacy;
        let missing: Vec<&str> = [("epsilon", epsilon), ("delta", delta)]
            .into_iter()
            .filter_map(|(name, value)| value.is_none().then_some(name))
            .collect();
        if missing.is_empty() { Ok(()) } else { Err(Refusal::of("", format!("{}\n\n{BUDGET}", not_given(&missing)))) }
    }

    /// Refuses curves without a public bound: bounds, or a centre and a radius.
    pub fn check_ball(&self) -> Result<(), Refusal> {
        let bound = &self.bound;
        match (&bound.bounds, &bound.center, bound.radius) {
            (Some(bounds), ..) if bounds.len() != 2 => {
                let found = bounds.len();
                let why = format!(
                    "give two numbers, the least and the largest value that a curve can have, such as 0,1; got {found}"
                );
                Err(Refusal::of("bounds", why))
            }
            (Some(_), ..) | (None, Some(_), Some(_)) => Ok(()),
            (None, center, radius) => {
                let given = [("center", center.is_some()), ("radius", radius.is_some())];
                let missing: Vec<&str> = given.iter().filter_map(|(name, given)| (!given).then_some(*name)).collect();
                Err(Refusal::of("", format!("{}\n\n{PUBLIC_BOUND}", not_given(&missing))))
            }
        }
    }
}

impl Privacy {
    /// Refuses, without a reason, an epsilon of 0 and a delta that protects hardly anybody: for everything that spends.
    pub fn check_usual(&self) -> Result<(), Refusal> {
        let (epsilon, delta) = (self.epsilon.unwrap_or(1.0), self.delta.unwrap_or(0.0));
        // a delta above 0.5 is none that noise is proved for, and no classical scale has an epsilon of 0: both are refused as such
        if self.because.is_some()
            || ((epsilon != 0.0 || self.is_classical()) && !(delta > LARGEST_DELTA && delta <= 0.5))
        {
            return Ok(());
        }
        let reason = "state a reason, which the release tells: {because} 'REASON'";
        Err(if epsilon == 0.0 {
            let why = "at epsilon 0 almost nothing of the data is left, whatever delta is; allowed are 1e-6 to 50";
            Refusal::of("epsilon", why).instead(format!("1 is a common choice; for an epsilon of 0 {reason}"))
        } else {
            let why = format!(
                "a delta of {} allows a mechanism that publishes a record in full with that probability; above {LARGEST_DELTA} it \
                 protects hardly anybody",
                exact(delta)
            );
            let instead = "give a delta well below 1 / (number of subjects), such as 1e-5; for a larger one ";
            Refusal::of("delta", why).instead(format!("{instead}{reason}"))
        })
    }
}

impl Estimate {
    /// The first part of a smoother that was said.
    pub fn smoother(&self) -> Option<&'static str> {
        let parts = [
            ("kernel", self.kernel.is_some()),
            ("range", self.range.is_some()),
            ("penalty", self.penalty.is_some()),
            ("eta", self.eta.is_some()),
        ];
        parts.into_iter().find(|(_, said)| *said).map(|(name, _)| name)
    }

    /// Whether the estimate is one of white noise on the mean itself: of a smoother, or with a band that needs it.
    pub fn needs_white_noise(&self) -> bool {
        let is_of_noise = matches!(
            self.band,
            Some(BandName::Smoothed | BandName::Undersmoothed | BandName::Unsmoothed | BandName::Honest)
        );
        is_of_noise || self.select.is_some() || self.smoother().is_some()
    }

    /// Refuses a level that no band can state, a band without what it needs, and two ways to find a smoother.
    pub fn check(&self) -> Result<(), Refusal> {
        self.check_level()?;
        match (self.band, self.band_roughness) {
            (Some(BandName::Honest), None) => {
                let why = "{band} honest needs {band_roughness}: a public bound on how rough the mean is, as the norm of its distance from \
                           the centre in the space of the Matern 3/2 kernel of range 0.2";
                return Err(Refusal::of("", why).instead("leave {band} out if you know no such bound"));
            }
            (Some(BandName::Honest), Some(value)) if value <= 0.0 => {
                return Err(Refusal::of(
                    "band_roughness",
                    format!("the bound must be positive and finite, got {}", exact(value)),
                ));
            }
            (Some(BandName::Honest), _) | (_, None) => {}
            (_, Some(_)) => {
                let why = "only {band} honest uses it; leave it out, or give {band} honest";
                return Err(Refusal::of("band_roughness", why));
            }
        }
        match self.smoother() {
            Some(given) if self.select == Some(SelectName::Sure) => {
                let why = format!(
                    "{{select}} sure chooses kernel, range, penalty and eta together, but {{{given}}} was given"
                );
                let instead = "leave one of the two out; `dpfda smooth` can choose later, at no cost in privacy";
                Err(Refusal::of("", why).instead(instead))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a level that no band can state.
    pub fn check_level(&self) -> Result<(), Refusal> {
        match self.level {
            Some(level) if !(level > 0.5 && level < 0.9999) => {
                let why = format!("a band states a probability above 0.5 and below 0.9999, got {}", exact(level));
                Err(Refusal { instead: advice(&["level"]), ..Refusal::of("level", why) })
            }
            _ => Ok(()),
        }
    }
}
