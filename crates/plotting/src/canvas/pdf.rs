//! A scene as a PDF document of one page, with its font inside: lines stay lines, and texts can be searched and copied.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::canvas::font;
use crate::canvas::palette::{PAPER, Paint};
use crate::canvas::scene::{Anchor, Mark, Point, Scene, Text};
use crate::error::FigureError;

#[cfg(test)]
#[path = "pdf_tests.rs"]
mod tests;

/// Points of print for a CSS pixel.
const POINTS: f64 = 0.75;

/// The scene as a document of the scene's size.
pub(crate) fn pdf(scene: &Scene) -> Result<Vec<u8>, FigureError> {
    pages([scene])
}

/// The objects before those of pages: the catalogue, the list of pages, and what belongs to the font.
const SHARED: usize = 7;

/// A document with a page for each scene, of the scene's size.
pub(crate) fn pages<'a>(scenes: impl IntoIterator<Item = &'a Scene>) -> Result<Vec<u8>, FigureError> {
    font::check()?;
    let drawn: Vec<(&Scene, Page)> = scenes
        .into_iter()
        .map(|scene| {
            let mut page = Page::default();
            page.draw(scene);
            (scene, page)
        })
        .collect();
    let mut glyphs = BTreeMap::new();
    for (_, page) in &drawn {
        glyphs.extend(page.glyphs.clone());
    }
    let mut document = Document::new();
    document.object("<< /Type /Catalog /Pages 2 0 R /Lang (en) >>");
    let kids: Vec<String> = (0..drawn.len()).map(|page| format!("{} 0 R", SHARED + 1 + 2 * page)).collect();
    document.object(&format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), drawn.len()));
    document.font(&glyphs);
    for (number, (scene, page)) in drawn.iter().enumerate() {
        let (width, height) = (POINTS * scene.width, POINTS * scene.height);
        let states: Vec<String> =
            page.states.values().map(|(name, alpha)| format!("/{name} << /ca {alpha:.3} /CA {alpha:.3} >> ")).collect();
        document.object(&format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2} {height:.2}] /Contents {} 0 R \
             /Resources << /Font << /F 3 0 R >> /ExtGState << {}>> >> >>",
            SHARED + 2 + 2 * number,
            states.concat()
        ));
        document.stream("", page.content.as_bytes());
    }
    Ok(document.finished())
}

/// What the embedded part of the font is called.
const NAME: &str = "AAAAAA+DejaVuSans";

/// The content of the page, and what it uses.
#[derive(Default)]
struct Page {
    content: String,
    /// Name and value of each opacity, by its thousandths.
    states: BTreeMap<u32, (String, f64)>,
    /// Letter and width (in thousandths of the em) of each glyph that is used.
    glyphs: BTreeMap<u16, (char, f64)>,
}

impl Page {
    fn draw(&mut self, scene: &Scene) {
        // pixels from the top left corner, as scenes have them
        self.add(&format!("{POINTS} 0 0 -{POINTS} 0 {:.2} cm 1 j 1 J", POINTS * scene.height));
        self.fill(PAPER);
        self.add(&format!("0 0 {:.2} {:.2} re f", scene.width, scene.height));
        for mark in &scene.marks {
            match mark {
                Mark::Line { points, width, paint } => {
                    let (r, g, b) = parts(*paint);
                    self.opacity(*paint);
                    self.add(&format!("{r:.3} {g:.3} {b:.3} RG {width:.2} w"));
                    self.path(points, "S");
                }
                Mark::Area { points, paint } => {
                    self.fill(*paint);
                    self.path(points, "f");
                }
                Mark::Text(text) => self.text(text),
            }
        }
    }

    fn add(&mut self, operators: &str) {
        self.content += operators;
        self.content.push('\n');
    }

    fn path(&mut self, points: &[Point], end: &str) {
        for (place, (x, y)) in points.iter().enumerate() {
            // writing to a string cannot fail
            let _ = write!(self.content, "{x:.2} {y:.2} {} ", if place == 0 { "m" } else { "l" });
        }
        self.add(end);
    }

    fn fill(&mut self, paint: Paint) {
        let (r, g, b) = parts(paint);
        self.opacity(paint);
        self.add(&format!("{r:.3} {g:.3} {b:.3} rg"));
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an opacity is from 0 to 1")]
    fn opacity(&mut self, paint: Paint) {
        let thousandths = (1000.0 * paint.alpha.clamp(0.0, 1.0)).round() as u32;
        let name = format!("A{thousandths}");
        self.add(&format!("/{name} gs"));
        self.states.insert(thousandths, (name, f64::from(thousandths) / 1000.0));
    }

    fn text(&mut self, text: &Text) {
        let before = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let (em, back) = (text.em, before * font::width(&text.words, text.em));
        let (x, y) = text.at;
        // the page is turned upside down, so letters are turned back
        let place = if text.upwards {
            format!("0 -{em:.2} -{em:.2} 0 {x:.2} {:.2}", y + back)
        } else {
            format!("{em:.2} 0 0 -{em:.2} {:.2} {y:.2}", x - back)
        };
        let mut glyphs = String::new();
        for letter in text.words.chars() {
            let id = font::glyph(letter);
            self.glyphs.entry(id).or_insert((font::drawn(letter), font::width(&letter.to_string(), 1000.0)));
            let _ = write!(glyphs, "{id:04X}");
        }
        self.fill(text.paint);
        self.add(&format!("BT /F 1 Tf {place} Tm <{glyphs}> Tj ET"));
    }
}

fn parts(paint: Paint) -> (f64, f64, f64) {
    let (r, g, b) = paint.rgb;
    (f64::from(r) / 255.0, f64::from(g) / 255.0, f64::from(b) / 255.0)
}

/// Which letters the glyphs are, for whoever copies a text.
fn letters_of(glyphs: &BTreeMap<u16, (char, f64)>) -> String {
    let mut map = String::from(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Letters def /CMapType 2 def\n\
         1 begincodespacerange <0000> <FFFF> endcodespacerange\n",
    );
    let entries: Vec<(&u16, &(char, f64))> = glyphs.iter().collect();
    for chunk in entries.chunks(100) {
        let _ = writeln!(map, "{} beginbfchar", chunk.len());
        for (id, (letter, _)) in chunk {
            let units: Vec<String> =
                letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("{unit:04X}")).collect();
            let _ = writeln!(map, "<{id:04X}> <{}>", units.concat());
        }
        map += "endbfchar\n";
    }
    map + "endcmap CMapName currentdict /CMap defineresource pop end end\n"
}

/// Numbered objects, and where each of them begins.
struct Document {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

impl Document {
    fn new() -> Self {
        // bytes above 127 in the second line tell programs that the file is binary
        Self { bytes: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(), offsets: Vec::new() }
    }

    fn object(&mut self, body: &str) {
        self.offsets.push(self.bytes.len());
        self.bytes.extend(format!("{} 0 obj\n{body}\nendobj\n", self.offsets.len()).bytes());
    }

    /// The font with the glyphs that are used: objects 3 to 7.
    fn font(&mut self, glyphs: &BTreeMap<u16, (char, f64)>) {
        self.object(&format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /{NAME} /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 7 0 R >>"
        ));
        let widths: Vec<String> = glyphs.iter().map(|(id, (_, width))| format!("{id} [{width:.1}] ")).collect();
        self.object(&format!(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{NAME} /CIDToGIDMap /Identity /DW 600 /W [{}] \
             /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 5 0 R >>",
            widths.concat()
        ));
        self.object(&format!(
            "<< /Type /FontDescriptor /FontName /{NAME} /Flags 4 /FontBBox [-1021 -463 1793 1232] /ItalicAngle 0 /Ascent 928 \
             /Descent -236 /CapHeight 729 /StemV 80 /FontFile2 6 0 R >>"
        ));
        self.stream(&format!("/Length1 {} ", font::BYTES.len()), font::BYTES);
        self.stream("", letters_of(glyphs).as_bytes());
    }

    fn stream(&mut self, entries: &str, content: &[u8]) {
        self.offsets.push(self.bytes.len());
        let head = format!("{} 0 obj\n<< {entries}/Length {} >>\nstream\n", self.offsets.len(), content.len());
        self.bytes.extend(head.bytes());
        self.bytes.extend(content);
        self.bytes.extend(b"\nendstream\nendobj\n");
    }

    fn finished(mut self) -> Vec<u8> {
        let start = self.bytes.len();
        let count = self.offsets.len() + 1;
        let mut tail = format!("xref\n0 {count}\n0000000000 65535 f \n");
        for offset in &self.offsets {
            let _ = writeln!(tail, "{offset:010} 00000 n ");
        }
        let _ = write!(tail, "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
        self.bytes.extend(tail.bytes());
        self.bytes
    }
}
