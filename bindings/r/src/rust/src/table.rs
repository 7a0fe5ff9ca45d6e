//! Private tables as R holds them: a matrix or named columns, with vectors beside them. Nothing is copied but whole numbers.

use dpfda::density::Points;
use dpfda::kernels::Grid;
use dpfda::smoothing::{CurveLayout, Missing, TextColumn};
use dpfda_study::{AskedDensity, AskedSurface, Checked, GridValue, Kind, LongTable, MemoryRows, RowTable, TextAsked};
use ndarray::{ArrayView1, ArrayView2, ShapeBuilder};
use savvy::{ListSexp, NotAvailableValue, RealSexp, Sexp, StringSexp, TypedSexp};

use crate::cells::{ids, labels};
use crate::refusal::Refusal;
use crate::study::OfR;

/// Private numbers as R holds them, and what stands beside them.
pub struct OfData {
    numbers: Numbers,
    rows: usize,
    names: Option<Vec<&'static str>>,
    /// The numbers of points along `s` and `t`, of an array of surfaces.
    shape: Option<Vec<f64>>,
    /// Where the data themselves say that their points lie.
    known: Option<Vec<f64>>,
    /// Vectors that were given by themselves: they come before columns of the same names.
    beside: ListSexp,
}

/// Numbers of a matrix, or the columns of a data frame.
enum Numbers {
    Matrix { values: RealSexp, rows: usize, columns: usize },
    Columns(ListSexp),
}

/// A column of numbers.
enum Column {
    Lies(RealSexp),
    Copied(Vec<f64>),
}

impl Column {
    fn view(&self) -> ArrayView1<'_, f64> {
        match self {
            Self::Lies(numbers) => ArrayView1::from(numbers.as_slice()),
            Self::Copied(numbers) => ArrayView1::from(&numbers[..]),
        }
    }
}

/// What a table in memory was read as, with all that it borrows.
pub struct Held {
    numbers: Numbers,
    columns: Vec<Column>,
    ids: Option<Vec<String>>,
    names: Option<Vec<&'static str>>,
    texts: Vec<TextColumn>,
    /// The places of the columns of values of a matrix.
    taken: Vec<usize>,
    grid: Option<Grid>,
    missing: Missing,
}

impl OfData {
    /// A list of `values`, which is a matrix of doubles or a list of columns, their number of `rows`, `names`, `shape`, `known` and `beside`.
    ///
    /// # Errors
    /// [`Refusal`] for another object.
    pub fn of(data: &ListSexp) -> Result<Self, Refusal> {
        let get = |name: &str| data.get(name).filter(|value| !value.is_null());
        let none = || Refusal::new("data", "the data are neither a matrix of numbers, a data frame, curves nor a path");
        let (values, beside) = (get("values").ok_or_else(none)?, get("beside").ok_or_else(none)?);
        let dim = values.get_dim().map(<[i32]>::to_vec);
        let numbers = match (values.into_typed(), dim.as_deref()) {
            (TypedSexp::Real(values), Some(&[rows, columns])) => {
                let size = |length: i32| usize::try_from(length).unwrap_or_default();
                Numbers::Matrix { values, rows: size(rows), columns: size(columns) }
            }
            (TypedSexp::List(columns), None) => Numbers::Columns(columns),
            _ => return Err(none()),
        };
        let names = match (&numbers, get("names").map(Sexp::into_typed)) {
            (Numbers::Columns(columns), _) => Some(columns.names_iter().collect()),
            (_, Some(TypedSexp::String(names))) => Some(names.to_vec()),
            _ => None,
        };
        let [rows, shape, known] = ["rows", "shape", "known"].map(|name| get(name).and_then(crate::study::numbers));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of rows")]
        let rows = rows.and_then(|rows| rows.first().copied()).ok_or_else(none)? as usize;
        Ok(Self { numbers, rows, names, shape, known, beside: ListSexp::try_from(beside)? })
    }

    /// The vector of this name: given by itself, or a column.
    fn vector(&self, name: &str) -> Option<Sexp> {
        let given = self.beside.get(name);
        match &self.numbers {
            Numbers::Columns(columns) => given.or_else(|| columns.get(name)),
            Numbers::Matrix { .. } => given,
        }
    }

    fn named(&self, name: &str, setting: &str) -> Result<Sexp, Refusal> {
        self.vector(name)
            .ok_or_else(|| Refusal::new(setting, format!("`{setting}`: no column is named `{}`", name.escape_debug())))
    }

    fn number(&self, name: &str, setting: &str) -> Result<Column, Refusal> {
        let refused = || {
            let why = format!("`{setting}`: the column `{}` holds no numbers", name.escape_debug());
            Refusal::new(setting, format!("{why}: it is a factor, text, truths, complex numbers or a list"))
        };
        let vector = self.named(name, setting)?;
        if vector.get_class().is_some() {
            let why = format!(
                "`{setting}`: the column `{}` has a class of its own, such as one of dates",
                name.escape_debug()
            );
            return Err(Refusal::new(setting, format!("{why}: make numbers of it, as by as.numeric()")));
        }
        match vector.into_typed() {
            TypedSexp::Real(numbers) => Ok(Column::Lies(numbers)),
            TypedSexp::Integer(numbers) => Ok(Column::Copied(
                numbers.iter().map(|number| if number.is_na() { f64::NAN } else { f64::from(*number) }).collect(),
            )),
            _ => Err(refused()),
        }
    }

    /// Refuses a vector beside the data that the study does not name: somebody may take rows for protected together that are not.
    fn refuse_unasked(&self, study: &Checked) -> Result<(), Refusal> {
        let table = &study.table;
        let columns = [&table.subject, &table.id, &table.time, &table.s, &table.t, &table.value];
        let asked: Vec<String> = columns.into_iter().flatten().cloned().collect();
        let texts = study.texts()?.into_iter().map(|text| text.name);
        let asked: Vec<String> = asked.into_iter().chain(texts).collect();
        match self.beside.names_iter().find(|name| !asked.iter().any(|asked| asked == name)) {
            None => Ok(()),
            Some(name) => {
                let setting = dpfda_study::setting(name).map_or("data", |setting| setting.name);
                let name = name.escape_debug();
                let why = format!(
                    "the study names no column `{name}`: name it there, such as subject = \"{name}\", or leave it out"
                );
                Err(Refusal::new(setting, why))
            }
        }
    }

    /// Refuses an array of other surfaces than the study is of.
    fn refuse_shape(&self, study: &Checked) -> Result<(), Refusal> {
        let Some(shape) = &self.shape else { return Ok(()) };
        let asked = if study.kind == Kind::Surface { Some(AskedSurface::of(study)?.grid.shape()) } else { None };
        if asked.is_some_and(|(s, t)| shape[..] == [s as f64, t as f64]) {
            return Ok(());
        }
        let why = "`surface`: an array of three dimensions is of persons by `s` by `t`, and the study is of other surfaces or of none";
        Err(Refusal::new("surface", why))
    }

    /// Reads what a study asks of the table.
    ///
    /// # Errors
    /// [`Refusal`] for a table that cannot be read so. No text of it shows a value.
    pub fn read(self, study: &OfR) -> Result<Held, Refusal> {
        let checked = &study.checked;
        let table = &checked.table;
        let missing = table.missing.clone().unwrap_or_default();
        if self.rows == 0 {
            return Err(Refusal::new("data", "the data have no rows"));
        }
        self.refuse_unasked(checked)?;
        self.refuse_shape(checked)?;
        if checked.is_long() {
            let named = |name: &Option<String>, setting| self.number(name.as_deref().unwrap_or_default(), setting);
            let columns = match checked.kind {
                Kind::Surface => vec![named(&table.s, "s")?, named(&table.t, "t")?, named(&table.value, "value")?],
                _ => vec![named(&table.time, "time")?, named(&table.value, "value")?],
            };
            let id = table.id.as_deref().unwrap_or_default();
            let (ids, names) = (ids(self.named(id, "id")?, "id")?, self.columns_of_long(checked));
            self.refuse_lengths(&columns, Some(("id", &ids)), &[])?;
            let (texts, taken) = (Vec::new(), Vec::new());
            return Ok(Held {
                numbers: self.numbers,
                columns,
                ids: Some(ids),
                names,
                texts,
                taken,
                grid: None,
                missing,
            });
        }
        let of = |name: &String| ids(self.named(name, "subject")?, "subject");
        let ids = table.subject.as_ref().map(of).transpose()?;
        let asked = checked.texts()?;
        let text = |TextAsked { name, is_number, setting }: &TextAsked| {
            labels(self.named(name, setting)?, &missing, *is_number, setting)
        };
        let texts = asked.iter().map(text).collect::<Result<Vec<_>, _>>()?;
        let (taken, grid) = self.taken(study)?;
        let columns = match (&self.numbers, &self.names) {
            (Numbers::Columns(_), Some(names)) => {
                let setting = if checked.kind == Kind::Density { "columns" } else { "values" };
                taken.iter().map(|&place| self.number(names[place], setting)).collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        };
        let lengths: Vec<_> =
            asked.iter().zip(&texts).map(|(asked, text)| (asked.setting, text.cells().len())).collect();
        self.refuse_lengths(&columns, ids.as_deref().map(|ids| ("subject", ids)), &lengths)?;
        let names = self.names.map(|names| taken.iter().map(|&place| names[place]).collect());
        Ok(Held { numbers: self.numbers, columns, ids, names, texts, taken, grid, missing })
    }

    fn columns_of_long(&self, study: &Checked) -> Option<Vec<&'static str>> {
        let table = &study.table;
        let named = match study.kind {
            Kind::Surface => vec![&table.s, &table.t, &table.value],
            _ => vec![&table.time, &table.value],
        };
        let own: Vec<&'static str> = self.names.clone().unwrap_or_default();
        let own = own.into_iter().chain(self.beside.names_iter()).collect::<Vec<_>>();
        named.into_iter().map(|name| own.iter().copied().find(|own| Some(*own) == name.as_deref())).collect()
    }

    /// The places of the columns of values, and where they lie.
    fn taken(&self, study: &OfR) -> Result<(Vec<usize>, Option<Grid>), Refusal> {
        let checked = &study.checked;
        if checked.kind == Kind::Density {
            return Ok((self.coordinates(study)?, None));
        }
        let layout = match checked.kind {
            Kind::Surface => AskedSurface::of(checked)?.layout()?,
            _ => checked.table.curves()?,
        };
        let columns = match &self.numbers {
            Numbers::Matrix { columns, .. } => *columns,
            Numbers::Columns(columns) => columns.len(),
        };
        let needs_names = matches!(self.numbers, Numbers::Columns(_)) && study.takes_all;
        if needs_names && !checked.texts()?.is_empty() {
            let why = "`values` must name the value columns of a data frame, such as values = \"h*\"";
            return Err(Refusal::new("values", why));
        }
        let Some(names) = &self.names else { return self.unnamed(checked, &layout, columns) };
        let subject = checked.table.subject.iter().filter(|subject| !names.contains(&subject.as_str())).cloned();
        let all = names.iter().map(|name| (*name).to_owned()).chain(subject).collect();
        let (taken, _, grid) = layout.find_columns(all)?;
        self.refuse_elsewhere(&grid)?;
        Ok((taken.into_iter().filter(|place| *place < names.len()).collect(), Some(grid)))
    }

    /// The same of columns without names: those of curves that say themselves where they lie, or those of a plain matrix.
    fn unnamed(
        &self,
        study: &Checked,
        layout: &CurveLayout,
        columns: usize,
    ) -> Result<(Vec<usize>, Option<Grid>), Refusal> {
        let all = (0..columns).collect();
        if study.kind == Kind::Surface {
            return Ok((all, Some(AskedSurface::of(study)?.grid.places().map_err(dpfda_study::Refusal::from)?)));
        }
        if let (Some(known), Some(GridValue::Names)) = (&self.known, &study.table.grid) {
            let of_points = if study.table.is_periodic() { Grid::closing } else { Grid::new };
            return Ok((all, Some(of_points(known.clone()).map_err(dpfda_study::Refusal::from)?)));
        }
        if study.table.values.as_ref().is_some_and(|values| values != &["*"]) {
            return Err(Refusal::new("values", "`values` names columns, and the columns of the matrix have no names"));
        }
        let grid = layout.grid_of(columns)?;
        self.refuse_elsewhere(&grid)?;
        Ok((all, Some(grid)))
    }

    /// Refuses curves that lie elsewhere than the study says.
    fn refuse_elsewhere(&self, grid: &Grid) -> Result<(), Refusal> {
        let Some(known) = &self.known else { return Ok(()) };
        let points = grid.points();
        let width = (grid.upper() - grid.lower()).abs().max(1.0);
        let is_there = known.len() == points.len()
            && known.iter().zip(points).all(|(known, point)| (known - point).abs() <= 1e-6 * width);
        if is_there {
            return Ok(());
        }
        let (lower, upper) = (grid.lower(), grid.upper());
        let why = format!(
            "`grid`: the curves do not lie between {lower} and {upper}, where the study puts them: give grid = \"names\", which takes \
             their points, or the two ends of their domain"
        );
        Err(Refusal::new("grid", why))
    }

    /// The places of the coordinates of points.
    fn coordinates(&self, study: &OfR) -> Result<Vec<usize>, Refusal> {
        let columns = AskedDensity::of(&study.checked)?.columns;
        let all = match (&self.numbers, &self.names) {
            (Numbers::Matrix { columns, .. }, None) => *columns,
            (_, Some(names)) if study.takes_all => names.len(),
            (_, names) => {
                let own = names.iter().flatten();
                let place = |name: &String| own.clone().position(|own| *own == name.as_str());
                let unknown = |name: &String| format!("`columns`: no column is named `{}`", name.escape_debug());
                let found =
                    columns.iter().map(|name| place(name).ok_or_else(|| Refusal::new("columns", unknown(name))));
                return found.collect();
            }
        };
        if all == columns.len() {
            return Ok((0..all).collect());
        }
        let why = format!("`bounds` has two numbers for each of {} columns, and the data have {all}", columns.len());
        Err(Refusal::new("bounds", why))
    }

    fn refuse_lengths(
        &self,
        columns: &[Column],
        ids: Option<(&'static str, &[String])>,
        texts: &[(&'static str, usize)],
    ) -> Result<(), Refusal> {
        let numbers = columns.iter().map(|column| ("data", column.view().len()));
        let beside = ids.map(|(setting, ids)| (setting, ids.len())).into_iter().chain(texts.iter().copied());
        match numbers.chain(beside).find(|(_, length)| *length != self.rows) {
            None => Ok(()),
            Some((setting, _)) => {
                let why = format!("`{setting}`: a column or vector has another length than the data have rows");
                Err(Refusal::new(setting, why))
            }
        }
    }
}

impl Held {
    fn rows(&self) -> Result<MemoryRows<'_>, Refusal> {
        let named = |place: usize| self.names.as_ref().and_then(|names| names.get(place).copied());
        let rows = match &self.numbers {
            Numbers::Matrix { values, rows, columns } => {
                let view = ArrayView2::from_shape((*rows, *columns).f(), values.as_slice());
                let view = view.map_err(|error| Refusal::new("data", error))?;
                if self.taken.iter().copied().eq(0..*columns) {
                    MemoryRows::of_array(view, &self.missing)
                } else {
                    let columns = self.taken.iter().map(|&place| view.index_axis_move(ndarray::Axis(1), place));
                    MemoryRows::of_columns(columns.collect(), &self.missing)
                }
            }
            Numbers::Columns(_) => {
                MemoryRows::of_columns(self.columns.iter().map(Column::view).collect(), &self.missing)
            }
        };
        rows.map_err(|cell| Refusal::unfit(cell, named(cell.column)))
    }

    /// A table with one record in each row.
    ///
    /// # Errors
    /// [`Refusal`] for a number that cannot be a value.
    pub fn table(&self) -> Result<RowTable<'_>, Refusal> {
        let grid = self.grid.clone().ok_or_else(|| Refusal::new("data", "the table has no curves"))?;
        let (ids, names) = (self.ids.as_deref(), self.names.clone());
        Ok(RowTable { rows: self.rows()?, grid, ids, names, texts: self.texts.clone() })
    }

    /// A long table.
    ///
    /// # Errors
    /// [`Refusal`] for a number that cannot be a place or a value.
    pub fn long(&self) -> Result<LongTable<'_>, Refusal> {
        let columns = self.columns.iter().map(Column::view).collect();
        let ids = self.ids.as_deref().unwrap_or_default();
        let long = LongTable::new(ids, columns, self.names.clone(), &self.missing, 1);
        long.map_err(|cell| Refusal::unfit(cell, self.names.as_ref().and_then(|names| names.get(cell.column).copied())))
    }

    /// Points on the bounds of a density: with ids, the mean of those of each subject.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn points(&self, asked: &AskedDensity) -> Result<Points, Refusal> {
        let rows = self.rows()?.copied();
        Ok(match &self.ids {
            None => Points::new(rows, asked.bounds.clone())?,
            Some(ids) => Points::of_subjects(&rows, ids, &asked.bounds)?,
        })
    }
}

/// Texts of a vector, where it is one of texts.
pub fn texts(vector: &StringSexp) -> Vec<String> {
    vector.iter().map(str::to_owned).collect()
}
