//! Pages on sheets of A4: one rule for where lines break, and a new sheet where one is full.

use dpfda::plotting::{FigureError, Ink, Sheet, sheets_to_pdf};

use crate::content::{Block, Page, Table};

/// The edge of a sheet that is left free.
const MARGIN: f64 = 40.0;
/// The em of texts, in CSS pixels.
const EM: f64 = 9.4;
/// From a line to the next, in ems.
const LEADING: f64 = 1.24;
/// Between the columns of blocks that stand side by side.
const GAP: f64 = 14.0;
/// The share of the width that the blocks at the left usually have.
const LEFT: f64 = 0.46;
/// The shares of the width and the heights that figures are tried with: the first that add no sheet to a page.
const SHARES: [f64; 3] = [0.58, 0.52, LEFT];
/// The width of the names of facts.
const NAMES: f64 = 64.0;
/// The height of a row that is written into by hand.
const ROW: f64 = 21.0;
const HEIGHTS: [f64; 9] = [400.0, 370.0, 345.0, 320.0, 300.0, 280.0, 260.0, 240.0, 220.0];
/// Between a cell and its column.
const PADDING: f64 = 4.0;

/// The pages as a PDF document.
pub fn of(pages: &[Page]) -> Result<Vec<u8>, FigureError> {
    let mut sheets = Vec::new();
    for page in pages {
        let mut rooms = SHARES.iter().flat_map(|share| HEIGHTS.map(|highest| (*share, highest)));
        let mut best = written(page, rooms.next().unwrap_or_default())?;
        // other rooms change nothing but figures and what stands beside them
        let mut others = rooms.filter(|_| page.blocks.iter().any(has_room));
        while best.len() > 1
            && let Some(room) = others.next()
        {
            let tried = written(page, room)?;
            if tried.len() < best.len() {
                best = tried;
            }
        }
        sheets.extend(best);
    }
    sheets_to_pdf(&sheets)
}

/// Whether a block is laid out by the room that figures have.
fn has_room(block: &Block) -> bool {
    match block {
        Block::Figure(..) | Block::Beside(_, _, true) => true,
        Block::Beside(left, right, false) => left.iter().chain(right).any(has_room),
        _ => false,
    }
}

/// The sheets of a page whose figures have this share of the width and are no higher than this.
fn written(page: &Page, room: (f64, f64)) -> Result<Vec<Sheet>, FigureError> {
    let mut pen = Pen::new(room);
    page.blocks.iter().try_for_each(|block| pen.block(block))?;
    Ok(pen.finished())
}

/// Where the next block goes.
struct Pen {
    full: Vec<Sheet>,
    sheet: Sheet,
    left: f64,
    width: f64,
    y: f64,
    /// The share of the width that a figure has, and its largest height.
    room: (f64, f64),
}

impl Pen {
    fn new(room: (f64, f64)) -> Self {
        let width = Sheet::WIDTH - 2.0 * MARGIN;
        Self { full: Vec::new(), sheet: Sheet::default(), left: MARGIN, width, y: MARGIN, room }
    }

    fn finished(mut self) -> Vec<Sheet> {
        self.full.push(self.sheet);
        self.full
    }

    /// Begins a new sheet where this one has no room of this height.
    fn demand(&mut self, height: f64) {
        if self.y + height > Sheet::HEIGHT - MARGIN && self.y > MARGIN {
            self.full.push(std::mem::take(&mut self.sheet));
            self.y = MARGIN;
        }
    }

    fn block(&mut self, block: &Block) -> Result<(), FigureError> {
        match block {
            Block::Title(text) => self.paragraph(text, 1.7 * EM, Ink::Plain, 0.3),
            Block::Heading(text) => self.heading(text),
            Block::Text(text) | Block::Quote(text) => self.paragraph(text, EM, Ink::Plain, 0.3),
            Block::Small(text) => self.paragraph(text, 0.84 * EM, Ink::Soft, 0.2),
            Block::Stamp(text) => self.paragraph(text, 1.15 * EM, Ink::Warning, 0.3),
            Block::Note(text) => self.paragraph(&format!("Note: {text}"), EM, Ink::Warning, 0.3),
            Block::Facts(facts) => facts.iter().try_for_each(|(name, text)| self.fact(name, text)),
            Block::Table(table) => self.table(table),
            Block::Figure(figure, _) => {
                self.y += self.sheet.place(figure, (self.left, self.y), (self.width, self.room.1))?;
                Ok(())
            }
            Block::Beside(left, right, is_wide) => self.beside(left, right, if *is_wide { self.room.0 } else { LEFT }),
            Block::OnScreen(..) => Ok(()),
        }
    }

    /// Blocks side by side, on one sheet.
    fn beside(&mut self, left: &[Block], right: &[Block], share: f64) -> Result<(), FigureError> {
        let (top, whole, edge) = (self.y, self.width, self.left);
        self.width = share * whole - GAP / 2.0;
        left.iter().try_for_each(|block| self.block(block))?;
        let bottom = std::mem::replace(&mut self.y, top);
        self.left = edge + share * whole + GAP / 2.0;
        self.width = (1.0 - share) * whole - GAP / 2.0;
        right.iter().try_for_each(|block| self.block(block))?;
        (self.left, self.width, self.y) = (edge, whole, self.y.max(bottom));
        Ok(())
    }

    fn heading(&mut self, text: &str) -> Result<(), FigureError> {
        self.demand(5.0 * EM);
        self.y += 0.5 * EM;
        self.sheet.rule((self.left, self.y), (self.left + self.width, self.y), 1.0, Ink::Accent);
        self.y += 0.2 * EM;
        self.paragraph(text, 1.2 * EM, Ink::Accent, 0.15)
    }

    /// Lines of a text, and some ems below them.
    fn paragraph(&mut self, text: &str, em: f64, ink: Ink, below: f64) -> Result<(), FigureError> {
        for line in Sheet::lines(text, em, self.width)? {
            self.demand(LEADING * em);
            self.sheet.text(&line, (self.left, self.y + em), em, ink);
            self.y += LEADING * em;
        }
        self.y += below * em;
        Ok(())
    }

    fn fact(&mut self, name: &str, text: &str) -> Result<(), FigureError> {
        self.demand(LEADING * EM);
        self.sheet.text(name, (self.left, self.y + EM), EM, Ink::Soft);
        self.beyond(NAMES, |pen| pen.paragraph(text, EM, Ink::Plain, 0.2))
    }

    /// Writes with an indent.
    fn beyond(
        &mut self,
        indent: f64,
        write: impl FnOnce(&mut Self) -> Result<(), FigureError>,
    ) -> Result<(), FigureError> {
        (self.left, self.width) = (self.left + indent, self.width - indent);
        let written = write(self);
        (self.left, self.width) = (self.left - indent, self.width + indent);
        written
    }

    fn table(&mut self, table: &Table) -> Result<(), FigureError> {
        if !table.caption.is_empty() {
            self.paragraph(&table.caption, EM, Ink::Soft, 0.0)?;
        }
        let names: Vec<String> = table.columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        self.row(table, &names, Ink::Soft, 0.0)?;
        let least = if table.is_form { ROW } else { 0.0 };
        table.rows.iter().try_for_each(|cells| {
            self.sheet.rule((self.left, self.y), (self.left + self.width, self.y), 0.5, Ink::Soft);
            self.y += 0.15 * EM;
            self.row(table, cells, Ink::Plain, least)
        })
    }

    /// A row, at least so high, and as high as its highest cell.
    fn row(&mut self, table: &Table, cells: &[String], ink: Ink, least: f64) -> Result<(), FigureError> {
        let wrapped = cells.iter().zip(&table.columns);
        let wrapped = wrapped.map(|(cell, (_, share))| Sheet::lines(cell, EM, share * self.width - PADDING));
        let cells = wrapped.collect::<Result<Vec<_>, FigureError>>()?;
        let lines = cells.iter().map(Vec::len).max().unwrap_or(0);
        let height = (lines as f64 * LEADING * EM + 0.35 * EM).max(least);
        self.demand(height);
        let mut x = self.left;
        for (cell, (_, share)) in cells.iter().zip(&table.columns) {
            for (number, line) in cell.iter().enumerate() {
                self.sheet.text(line, (x, self.y + EM + number as f64 * LEADING * EM), EM, ink);
            }
            x += share * self.width;
        }
        self.y += height;
        Ok(())
    }
}
