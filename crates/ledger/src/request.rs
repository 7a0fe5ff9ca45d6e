//! What a release asks of a ledger.

use dpfda_mechanism::{Digest, Guarantee, ReleaseId, is_name};
use dpfda_privacy::Spend;
use serde::{Deserialize, Serialize};

use crate::group::GroupName;
use crate::terms::TermsError;

/// A release that asks for budget. Everything in it is public and known before the noise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RequestDocument", into = "RequestDocument")]
pub struct ReleaseRequest(RequestDocument);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestDocument {
    id: ReleaseId,
    kind: String,
    guarantee: Guarantee,
    spend: Spend,
    plan: Digest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part_of: Option<GroupName>,
}

impl ReleaseRequest {
    /// A release of this id, of a mechanism of this kind, with this guarantee and cost; `plan` is a digest of everything else
    /// that the release depends on, but not of the data.
    pub fn new(
        id: ReleaseId,
        kind: &str,
        guarantee: Guarantee,
        spend: Spend,
        plan: Digest,
    ) -> Result<Self, TermsError> {
        RequestDocument { id, kind: kind.to_owned(), guarantee, spend, plan, part_of: None }.try_into()
    }

    /// The same request for a release of the data of one group alone.
    #[must_use]
    pub fn of_group(mut self, group: GroupName) -> Self {
        self.0.part_of = Some(group);
        self
    }

    /// What the release is called.
    pub fn id(&self) -> &ReleaseId {
        &self.0.id
    }

    /// The kind of mechanism.
    pub fn kind(&self) -> &str {
        &self.0.kind
    }

    /// The guarantee that was asked for.
    pub fn guarantee(&self) -> &Guarantee {
        &self.0.guarantee
    }

    /// What it costs.
    pub fn spend(&self) -> &Spend {
        &self.0.spend
    }

    /// The digest of everything else that the release depends on, but not of the data.
    pub fn plan(&self) -> Digest {
        self.0.plan
    }

    /// The group whose data are released; `None` for a release of everybody.
    pub fn part_of(&self) -> Option<&GroupName> {
        self.0.part_of.as_ref()
    }
}

impl TryFrom<RequestDocument> for ReleaseRequest {
    type Error = TermsError;

    fn try_from(document: RequestDocument) -> Result<Self, TermsError> {
        if is_name(&document.kind) { Ok(Self(document)) } else { Err(TermsError::Mechanism) }
    }
}

impl From<ReleaseRequest> for RequestDocument {
    fn from(request: ReleaseRequest) -> Self {
        request.0
    }
}
