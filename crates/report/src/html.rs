//! HTML in which no text of a user is markup.

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;

/// A piece of a page. Markup is written in the source of this program alone; every other text is escaped.
#[derive(Debug, Default)]
pub struct Html(String);

impl Html {
    /// Markup as it stands in the source.
    pub fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0 += markup;
        self
    }

    /// A text, escaped.
    pub fn text(&mut self, text: &str) -> &mut Self {
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
    pub fn figure(&mut self, svg: &str) -> &mut Self {
        self.0 += svg;
        self
    }

    /// An element with a text in it.
    pub fn element(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.markup("<").markup(name).markup(">").text(text).markup("</").markup(name).markup(">\n")
    }

    /// A list of names with their texts.
    pub fn terms<'a>(&mut self, terms: impl IntoIterator<Item = (&'a str, &'a str)>) -> &mut Self {
        self.markup("<dl>\n");
        for (name, text) in terms {
            self.markup("<div>").element("dt", name).element("dd", text).markup("</div>\n");
        }
        self.markup("</dl>\n")
    }

    /// A table with a caption and names of its columns. The first cell of a row names the row.
    pub fn table(&mut self, caption: &str, columns: &[&str], rows: &[Vec<String>]) -> &mut Self {
        self.markup("<div class=\"wide\"><table>\n").element("caption", caption).markup("<thead><tr>");
        for column in columns {
            self.markup("<th scope=\"col\">").text(column).markup("</th>");
        }
        self.markup("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.markup("<tr>");
            for (place, cell) in row.iter().enumerate() {
                let (begin, end) = if place == 0 { ("<th scope=\"row\">", "</th>") } else { ("<td>", "</td>") };
                self.markup(begin).text(cell).markup(end);
            }
            self.markup("</tr>\n");
        }
        self.markup("</tbody></table></div>\n")
    }

    /// The piece as it is written to a file.
    pub fn into_string(self) -> String {
        self.0
    }
}
