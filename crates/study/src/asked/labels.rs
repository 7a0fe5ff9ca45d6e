//! The public names of the axes of a figure.

use dpfda::mechanism::{self, Labels};

use crate::sections::{Figure, Papers, Sections};
use crate::values::Label;

impl Figure {
    /// What the vertical axis shows; units stand behind its name.
    pub fn vertical(&self) -> Option<String> {
        let text = |label: &Option<Label>| label.as_ref().map(|label| label.0.clone());
        match (text(&self.y_label), text(&self.units)) {
            (y, None) => y,
            (y, Some(units)) => Some(format!("{} ({units})", y.unwrap_or_else(|| "value".to_owned()))),
        }
    }

    /// The names of the axes, as a release keeps them. A name that is too long with its units is left to the figure.
    pub fn labels(&self) -> Labels {
        let text = |label: &Option<Label>| label.as_ref().map(|label| label.0.clone());
        let labels = Labels::new(text(&self.x_label).as_deref(), self.vertical().as_deref()).unwrap_or_default();
        // the setting was checked
        labels.clone().with_s(text(&self.s_label).as_deref()).unwrap_or(labels)
    }
}

impl Sections {
    /// The names of the axes, and of the column of groups.
    pub fn labels(&self) -> Labels {
        let labels = self.figure.labels();
        let column = self.groups.by.clone().into_iter().collect();
        labels.clone().with_columns(column).unwrap_or(labels)
    }
}

impl Papers {
    /// What a release keeps of it.
    pub fn told(&self) -> mechanism::Papers {
        let text = |label: &Option<Label>| label.as_ref().map(|label| label.0.clone());
        let [dataset, study, approval] = [&self.dataset, &self.study_name, &self.approval].map(text);
        let date = self.date.as_ref().map(ToString::to_string);
        // the settings were checked
        mechanism::Papers::new(dataset.as_deref(), study.as_deref(), approval.as_deref(), date.as_deref())
            .unwrap_or_default()
    }
}
