//! The rows of a table in memory as one part, by several threads.

use std::num::NonZeroUsize;
use std::ops::Range;

use dpfda_mechanism::{AgainError, FingerprintKey, PartId};
use ndarray::{ArrayView2, Axis, Slice};

use crate::mean::Mean;
use crate::mean::domain::MeanDomain;
use crate::mean::encoder::{EncodeError, MeanEncoder};
use crate::parts::encode_files::in_threads;
use crate::parts::part::Part;
use crate::parts::plan::Plan;

/// From this number of values on, curves are worth a second thread.
pub(crate) const LARGE: usize = 1 << 18;

/// What takes a block of rows, with the index of the first.
pub type TakesBlock<'t> = dyn FnMut(usize, ArrayView2<'_, f64>) -> Result<(), EncodeError> + 't;

/// A table in memory, with a curve or surface in each row, however it lies there.
pub trait RowBlocks: Sync {
    /// The numbers of rows and of columns.
    fn shape(&self) -> (usize, usize);

    /// Hands these rows on in their order, in blocks; a missing value is NaN.
    fn blocks(&self, rows: Range<usize>, take: &mut TakesBlock<'_>) -> Result<(), EncodeError>;
}

impl RowBlocks for ArrayView2<'_, f64> {
    fn shape(&self) -> (usize, usize) {
        self.dim()
    }

    fn blocks(&self, rows: Range<usize>, take: &mut TakesBlock<'_>) -> Result<(), EncodeError> {
        take(rows.start, self.slice_axis(Axis(0), Slice::from(rows)))
    }
}

/// Numbers that lie together in a line of the cache.
const TILE: usize = 8;

/// Writes the numbers of columns of one length row by row. A tile at a time is read and written, so that every line of the cache is in use
/// while it is there.
pub fn by_row(columns: &[&[f64]], rows: &mut [f64]) {
    let width = columns.len();
    for (place, tile) in columns.chunks(TILE).enumerate() {
        for (part, lines) in rows.chunks_mut(TILE * width).enumerate() {
            for (at, column) in (place * TILE..).zip(tile) {
                for (line, value) in lines.chunks_exact_mut(width).zip(column.iter().skip(part * TILE)) {
                    line[at] = *value;
                }
            }
        }
    }
}

impl From<EncodeError> for AgainError {
    fn from(error: EncodeError) -> Self {
        Self::Unread { reason: error.to_string() }
    }
}

impl<D: MeanDomain> Plan<Mean<D>> {
    /// Encodes all rows of a table in memory, which is not copied: where a centre is bought, call it once more about the centre
    /// ([`Part::prepare_twice`]). The part is the same for every number of threads.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    ///
    /// use dpfda_kernels::Grid;
    /// use dpfda_mechanism::{PartId, Payable};
    /// use dpfda_privacy::{PrivacyBudget, PrivacyUnit, SystemRandomness};
    /// use dpfda_release::{BallShares, Mean, Plan, PrivateMean};
    /// use dpfda_smoothing::{Ball, Center};
    /// use ndarray::Array2;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let curves = Array2::from_shape_fn((500, 30), |(i, j)| ((i + j) % 9) as f64 / 9.0);
    /// let mean = PrivateMean::isonormal(Ball::new(Center::Constant(0.0), 2.0)?, PrivacyBudget::new(1.0, 1e-5)?);
    /// let mean = mean.buying(BallShares::new(Some(0.1), Some(0.05))?);
    /// let plan = mean.plan(&Grid::uniform(0.0, 1.0, 30)?, PrivacyUnit::Curve)?;
    /// let encode = |plan: &Plan<Mean>| {
    ///     let nobody: Option<&[String]> = None;
    ///     Ok(plan.encode_rows(&curves.view(), nobody, PartId::whole(), None, NonZeroUsize::MIN)?)
    /// };
    /// let release = encode(&plan)?.prepare_twice(&plan, encode)?.draw(None, &mut SystemRandomness::new()?)?;
    /// assert!(release.answers().center().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn encode_rows<I: AsRef<[u8]> + Sync>(
        &self,
        rows: &impl RowBlocks,
        subjects: Option<&[I]>,
        part: PartId,
        key: Option<FingerprintKey>,
        threads: NonZeroUsize,
    ) -> Result<Part<Mean<D>>, EncodeError> {
        let ((curves, found), points) = (rows.shape(), self.grid().len());
        if let Some(ids) = subjects.map(<[I]>::len).filter(|ids| *ids != curves) {
            return Err(EncodeError::Subjects { curves, ids });
        }
        if found != points {
            return Err(EncodeError::Points { points, found });
        }
        let is_large = curves.saturating_mul(points) > LARGE;
        let each = if is_large { curves.div_ceil(threads.get()) } else { curves }.max(1);
        let share = |start: usize| -> Result<MeanEncoder<D>, EncodeError> {
            let mut encoder = self.encoder(part.clone(), key.clone());
            let outcome = rows.blocks(start..curves.min(start + each), &mut |from, block| match subjects {
                Some(subjects) => encoder.push_rows_of(&subjects[from..from + block.nrows()], block),
                None => encoder.push_rows(block),
            });
            match outcome {
                // counted from the first row of the share
                Err(EncodeError::Infinite { row }) => Err(EncodeError::Infinite { row: row + start as u64 }),
                outcome => outcome.map(|()| encoder),
            }
        };
        let share = &share;
        let shares = (0..curves.max(1)).step_by(each).map(|start| move || share(start));
        let mut encoders = in_threads(shares.collect()).into_iter();
        let mut whole = encoders.next().unwrap_or_else(|| share(0))?;
        encoders.try_for_each(|encoder| whole.absorb(encoder?))?;
        Ok(whole.finish()?)
    }
}
