//! The public names of the axes of a figure.

use dpfda::mechanism::{self, Labels};

use crate::sections::{Figure, Papers, Sections};
use crate::values::Label;

impl Sections {
    /// What the vertical axis shows; units stand behind its name. Where a unit alone was said, it is that of the column of a long table, or of
    /// a change, which may be for one unit of another column.
    pub fn vertical(&self) -> Option<String> {
        let Figure { y_label, units, .. } = &self.figure;
        let Some(Label(units)) = units else { return y_label.as_ref().map(|label| label.0.clone()) };
        let (change, per) = (&self.change.change, &self.change.per);
        let usual = if change.is_some() || per.is_some() { "change" } else { "value" };
        let column = self.table.value.as_deref().unwrap_or(usual);
        let name = y_label.as_ref().map_or(column, |label| &label.0);
        let per = per.as_ref().map_or_else(String::new, |per| format!(" per {per}"));
        Some(format!("{name} ({units}{per})"))
    }

    /// The names of the axes, as a release keeps them, and of the column of groups. A name that is too long with its units is left to the figure.
    pub fn labels(&self) -> Labels {
        let text = |label: &Option<Label>| label.as_ref().map(|label| label.0.clone());
        let Figure { x_label, s_label, .. } = &self.figure;
        let labels = Labels::new(text(x_label).as_deref(), self.vertical().as_deref()).unwrap_or_default();
        // the settings were checked
        let labels = labels.clone().with_s(text(s_label).as_deref()).unwrap_or(labels);
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
