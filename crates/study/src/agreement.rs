//! Whether a release has the guarantee that a study asks for.

use dpfda::mechanism::Guarantee;
use dpfda::privacy::PrivacyUnit;

use crate::checked::Checked;
use crate::kind::Kind;

impl Checked {
    /// The first setting that the guarantee of a release does not have as this study says it. The digest in a release says which study it
    /// follows; this is what can be seen of that in the release itself.
    pub fn disagreement(&self, guarantee: &Guarantee) -> Option<&'static str> {
        let (privacy, budget) = (&self.privacy, guarantee.budget());
        let of_people = self.table.subject.is_some() || self.is_long();
        let unit = match privacy.unit {
            Some(unit) if self.kind == Kind::Density && !of_people => unit.into(),
            _ if of_people => PrivacyUnit::Subject,
            _ => PrivacyUnit::Curve,
        };
        let holds = [
            ("epsilon", privacy.epsilon == Some(budget.epsilon())),
            ("delta", privacy.delta.unwrap_or(0.0) == budget.delta()),
            ("neighbours", privacy.relation() == guarantee.neighbours()),
            ("subject", unit == guarantee.unit()),
        ];
        holds.into_iter().find(|(_, holds)| !holds).map(|(setting, _)| setting)
    }
}
