//! HTML in which no text of a user is markup.

use crate::content::{Block, Page, Table};
use crate::drawn::FigureError;

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;

/// A piece of a page. Markup is written in the source of this program alone; every other text is escaped.
#[derive(Debug, Default)]
struct Html(String);

impl Html {
    /// Markup as it stands in the source.
    fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0 += markup;
        self
    }

    /// A text, escaped.
    fn text(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            match letter {
                '&' => self.0 += "&amp;",
                '<' => self.0 += "&lt;",
                '>' => self.0 += "&gt;",
                '"' => self.0 += "&quot;",
                '\'' => self.0 += "&#39;",
                // a page is read from left to right, and has no control characters
                c if c.is_control() && c != '\n' => self.0.push('\u{fffd}'),
                c => self.0.push(c),
            }
        }
        self
    }

    /// A figure, which escapes the texts in it.
    fn figure(&mut self, svg: &str) -> &mut Self {
        self.0 += svg;
        self
    }

    /// An element with a text in it.
    fn element(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.markup("<").markup(name).markup(">").text(text).markup("</").markup(name).markup(">\n")
    }

    /// Names with their texts.
    fn terms(&mut self, terms: &[(String, String)]) -> &mut Self {
        self.markup("<dl>\n");
        for (name, text) in terms {
            self.markup("<div>").element("dt", name).element("dd", text).markup("</div>\n");
        }
        self.markup("</dl>\n")
    }

    /// A table with a caption and names of its columns. The first cell of a row names the row.
    fn table(&mut self, table: &Table) -> &mut Self {
        self.markup(if table.is_form { "<table class=\"form\">\n" } else { "<table>\n" });
        if !table.caption.is_empty() {
            self.element("caption", &table.caption);
        }
        self.markup("<colgroup>");
        for (_, share) in &table.columns {
            self.markup("<col width=\"").text(&format!("{:.0}%", 100.0 * share)).markup("\">");
        }
        self.markup("</colgroup>\n<thead><tr>");
        for (name, _) in &table.columns {
            self.markup("<th scope=\"col\">").text(name).markup("</th>");
        }
        self.markup("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            self.markup("<tr>");
            for (place, cell) in row.iter().enumerate() {
                let (begin, end) = if place == 0 { ("<th scope=\"row\">", "</th>") } else { ("<td>", "</td>") };
                self.markup(begin).text(cell).markup(end);
            }
            self.markup("</tr>\n");
        }
        self.markup("</tbody></table>\n")
    }

    /// Everything of a page, in order.
    fn blocks(&mut self, blocks: &[Block]) -> Result<(), FigureError> {
        for block in blocks {
            match block {
                Block::Title(text) => self.element("h1", text),
                Block::Heading(text) => self.element("h2", text),
                Block::Text(text) => self.element("p", text),
                Block::Small(text) => self.markup("<p class=\"small\">").text(text).markup("</p>\n"),
                Block::Stamp(text) => self.markup("<p class=\"stamp\">").text(text).markup("</p>\n"),
                Block::Note(text) => self.markup("<p class=\"note\">Note: ").text(text).markup("</p>\n"),
                Block::Quote(text) => self.markup("<blockquote><p>").text(text).markup("</p></blockquote>\n"),
                Block::Facts(facts) => self.terms(facts),
                Block::Table(table) => self.table(table),
                Block::Figure(figure, words) => {
                    let svg = figure.to_svg()?;
                    self.markup("<figure>\n<div role=\"img\" aria-label=\"").text(words).markup("\">\n");
                    self.figure(&svg).markup("\n</div>\n</figure>\n")
                }
                Block::Beside(left, right, is_wide) => {
                    let class = if *is_wide { "beside wide" } else { "beside" };
                    self.markup("<div class=\"").markup(class).markup("\">\n<div>\n").blocks(left)?;
                    self.markup("</div>\n<div>\n").blocks(right)?;
                    self.markup("</div>\n</div>\n")
                }
                Block::OnScreen(summary, blocks) => {
                    self.markup("<details>\n").element("summary", summary).blocks(blocks)?;
                    self.markup("</details>\n")
                }
            };
        }
        Ok(())
    }
}

/// The pages as one document.
pub fn of(title: &str, pages: &[Page]) -> Result<String, FigureError> {
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    // nothing is loaded and nothing runs, whatever the page holds
    html.markup(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    );
    html.element("title", title).markup("<style>\n").markup(include_str!("style.css")).markup("</style>\n</head>\n");
    html.markup("<body>\n<main>\n");
    for (number, page) in pages.iter().enumerate() {
        // a document has one title
        let rest = match page.blocks.split_first() {
            Some((Block::Title(title), rest)) if number > 0 => {
                html.markup("<section>\n<h2 class=\"title\">").text(title).markup("</h2>\n");
                rest
            }
            _ => {
                html.markup("<section>\n");
                &page.blocks
            }
        };
        html.blocks(rest)?;
        html.markup("</section>\n");
    }
    html.markup("</main>\n</body>\n</html>\n");
    Ok(html.0)
}
