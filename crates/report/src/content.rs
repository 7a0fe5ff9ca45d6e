//! What stands on the pages of a report, before it is written as HTML or as PDF.

use crate::drawn::Drawing;

/// A page: on paper it begins a new sheet.
#[derive(Default)]
pub struct Page {
    /// What stands on it, from top to bottom.
    pub blocks: Vec<Block>,
}

/// A part of a page.
pub enum Block {
    /// What the page is about.
    Title(String),
    /// What the blocks below are about.
    Heading(&'static str),
    /// A paragraph.
    Text(String),
    /// A paragraph of what others check by.
    Small(String),
    /// A warning that nobody may miss.
    Stamp(String),
    /// What should make a reader careful.
    Note(String),
    /// A paragraph that can be pasted.
    Quote(String),
    /// Names with their texts. An empty text is a blank to fill in.
    Facts(Vec<(String, String)>),
    /// Rows of cells.
    Table(Table),
    /// A figure, with words for whoever does not see it.
    Figure(Box<Drawing>, String),
    /// Blocks at the left, and blocks at the right, and whether the left ones have more of the width.
    Beside(Vec<Self>, Vec<Self>, bool),
    /// What is on no paper: the same for readers of a screen.
    OnScreen(&'static str, Vec<Self>),
}

/// Rows of cells. An empty cell is a blank to fill in.
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The names of the columns, and the share of the width that each has.
    pub columns: Vec<(&'static str, f64)>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
    /// Whether people write into it by hand.
    pub is_form: bool,
}

impl Page {
    /// Adds a block.
    pub fn add(&mut self, block: Block) {
        self.blocks.push(block);
    }
}

/// Columns of equal width.
pub fn equal(columns: &[&'static str]) -> Vec<(&'static str, f64)> {
    columns.iter().map(|name| (*name, 1.0 / columns.len() as f64)).collect()
}
