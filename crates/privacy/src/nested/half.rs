//! The sums of all buckets: of records as they are, or of their directions.

use super::basis::ProductsOf;
use super::projector::Projector;
use super::radius::Bucket;
use super::side::Side;

/// One [`Side`] for each bucket that has records.
#[derive(Clone)]
pub(super) struct Half {
    dimension: usize,
    products: Option<ProductsOf>,
    projector: Option<Projector>,
    sides: Vec<Option<Box<Side>>>,
}

impl Half {
    pub(super) fn new(dimension: usize, products: Option<ProductsOf>) -> Self {
        let projector = products.as_ref().and_then(ProductsOf::applied_first).cloned().map(Projector::new);
        Self { dimension, products, projector, sides: vec![None; Bucket::COUNT] }
    }

    /// Adds a vector of norm at most `2^22`.
    pub(super) fn add(&mut self, bucket: Bucket, k: &[f64], energy: u64) {
        let side = side(&mut self.sides[bucket.place()], self.dimension, self.products.as_ref());
        side.add(k, energy);
        match &mut self.projector {
            None => side.add_products(k),
            Some(projector) => {
                if projector.add(bucket, k) {
                    self.project();
                }
            }
        }
    }

    /// Moves the rows that wait for the basis on to their buckets.
    fn project(&mut self) {
        let Self { projector, sides, dimension, products } = self;
        if let Some(projector) = projector {
            projector.empty(|bucket, w| {
                side(&mut sides[bucket.place()], *dimension, products.as_ref()).add_products(w);
            });
        }
    }

    /// Moves everything to the largest integers.
    pub(super) fn settle(&mut self) {
        self.project();
        self.sides.iter_mut().flatten().for_each(|side| side.settle());
    }

    /// Adds settled sums to settled ones.
    pub(super) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.sides.iter_mut().zip(&other.sides) {
            if let Some(theirs) = theirs {
                side(mine, self.dimension, self.products.as_ref()).merge(theirs);
            }
        }
    }

    pub(super) fn side(&self, bucket: Bucket) -> Option<&Side> {
        self.sides[bucket.place()].as_deref()
    }

    pub(super) fn put(&mut self, bucket: Bucket, side: Side) {
        self.sides[bucket.place()] = Some(Box::new(side));
    }

    /// The buckets that have records, and their sums.
    pub(super) fn sides(&self) -> impl Iterator<Item = (Bucket, &Side)> {
        Bucket::all().filter_map(|bucket| Some((bucket, self.side(bucket)?)))
    }
}

/// The sums of a bucket, which has some from now on.
fn side<'a>(place: &'a mut Option<Box<Side>>, dimension: usize, products: Option<&ProductsOf>) -> &'a mut Side {
    place.get_or_insert_with(|| Box::new(Side::new(dimension, products.map(ProductsOf::kept))))
}
