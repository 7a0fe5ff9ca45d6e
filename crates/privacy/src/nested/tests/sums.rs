use super::*;

/// The totals of records clipped one by one, in 128 bits: sums, products of the first `coordinates`, missing energy.
fn direct(records: &[NestedRecord], radius: NestedRadius, coordinates: usize) -> Vec<i128> {
    let dimension = records[0].dimension();
    let (mut vector, mut energy) = (vec![0_i128; dimension], 0);
    let mut above = vec![0_i128; coordinates * coordinates.saturating_sub(1) / 2];
    let mut squares = vec![0_i128; coordinates];
    for record in records {
        let k = clipped(record, radius);
        vector.iter_mut().zip(&k).for_each(|(sum, k)| *sum += k);
        energy += i128::from(radius.steps()).pow(2) - k.iter().map(|k| k * k).sum::<i128>();
        squares.iter_mut().zip(&k).for_each(|(sum, k)| *sum += k * k);
        let pairs = (0..coordinates).flat_map(|i| (i + 1..coordinates).map(move |j| (i, j)));
        above.iter_mut().zip(pairs).for_each(|(sum, (i, j))| *sum += k[i] * k[j]);
    }
    let unit = i128::from(radius.fine_steps());
    let nearest = |x: i128, unit: i128| (2 * x + unit).div_euclid(2 * unit);
    let moments = above.into_iter().chain(squares).chain((coordinates > 0).then_some(energy));
    let vector = vector.into_iter().map(|total| nearest(total, unit));
    vector.chain(moments.map(|moment| nearest(moment, unit * unit))).collect()
}

#[test]
fn sums_products_and_energies_of_hostile_records_are_the_direct_ones_bit_for_bit_in_all_balls() {
    for (dimension, coordinates) in [(2, 2), (40, 40), (93, 93), (93, 5), (300, 0)] {
        let records = hostile(10, dimension);
        let encoded: Vec<NestedRecord> = records.iter().map(|z| encoded(z, Radii::Any)).collect();
        let products = (coordinates > 0).then_some(ProductsOf::First(coordinates));
        let sums = summed(&records, Radii::Any, products).settled();
        for radius in NestedRadius::all() {
            assert_eq!(sums.clipped(radius), direct(&encoded, radius, coordinates), "{dimension} {radius:?}");
        }
    }
}

#[test]
fn many_records_settle_from_doubles_to_integers_without_losing_a_bit() {
    // all of the largest products: 64 bits end after 2^19 records
    let corner = vec![1.0 / 2.0_f64.sqrt(); 2];
    let mut sums = NestedSums::new(2, Radii::Any, Some(ProductsOf::First(2)));
    let record = encoded(&corner, Radii::Any);
    let records = (1 << 19) * 3 + 77;
    for _ in 0..records {
        sums.add(&record).unwrap();
    }
    let one = clipped(&record, NestedRadius::STATED);
    let totals = sums.settled().clipped(NestedRadius::STATED);
    let floored = |place: usize| {
        let exact = [one[0], one[1], one[0] * one[1], one[0] * one[0], one[1] * one[1]][place] * records;
        let unit = if place < 2 { 1 << 12 } else { 1 << 24 };
        (exact + unit / 2).div_euclid(unit)
    };
    for (place, total) in totals.iter().enumerate().take(5) {
        assert_eq!(*total, floored(place), "{place}");
    }
}

#[test]
fn the_sums_of_a_stated_radius_are_those_of_all_radii() {
    for (dimension, products) in [(40, ProductsOf::First(9)), (93, along(93, 40)), (300, along(300, 12))] {
        let records = hostile(11, dimension);
        let of = |radii| summed(&records, radii, Some(products.clone())).settled().clipped(NestedRadius::STATED);
        let (any, stated) = (of(Radii::Any), of(Radii::Stated));
        if products.applied_first().is_none() {
            assert_eq!(any, stated);
        }
        assert_eq!(any[..dimension], stated[..dimension]);
    }
}

#[test]
fn order_threads_and_parts_do_not_change_a_bit() {
    for products in [None, Some(ProductsOf::First(12)), Some(along(93, 7))] {
        let mut records = hostile(12, 93);
        let whole = summed(&records, Radii::Any, products.clone()).words();
        records.reverse();
        records.rotate_left(123);
        for parts in [1, 2, 3, 64] {
            let each = records.len().div_ceil(parts);
            let threads = records.chunks(each).map(|part| {
                let (part, products) = (part.to_vec(), products.clone());
                std::thread::spawn(move || summed(&part, Radii::Any, products))
            });
            let threads: Vec<_> = threads.collect();
            let mut joined = NestedSums::new(93, Radii::Any, products.clone());
            for thread in threads.into_iter().rev() {
                joined.merge(&thread.join().unwrap()).unwrap();
            }
            assert_eq!(joined.words(), whole, "{parts}");
            assert_eq!(joined.records(), records.len() as u64);
        }
    }
}

#[test]
fn on_a_long_grid_no_record_depends_on_its_neighbours_in_a_block() {
    let products = Some(along(300, 12));
    let records: Vec<Vec<f64>> = hostile(13, 300).into_iter().step_by(5).collect();
    let whole = summed(&records, Radii::Any, products.clone()).words();
    let mut alone = vec![0_i128; whole.len()];
    for z in &records {
        let one = summed(std::slice::from_ref(z), Radii::Any, products.clone()).words();
        alone.iter_mut().zip(one).for_each(|(sum, more)| *sum += more);
    }
    assert!(alone == whole);
}

#[test]
fn sums_of_another_kind_are_refused_and_strange_records_bring_their_presence_alone() {
    let mut sums = NestedSums::new(3, Radii::Any, None);
    for other in [
        NestedSums::new(4, Radii::Any, None),
        NestedSums::new(3, Radii::Stated, None),
        NestedSums::new(3, Radii::Any, Some(ProductsOf::First(2))),
    ] {
        assert_eq!(sums.merge(&other), Err(LatticeError::Bodies));
    }
    for strange in [encoded(&[0.9; 4], Radii::Any), encoded(&[0.4; 3], Radii::Stated)] {
        sums.add(&strange).unwrap();
    }
    assert_eq!(sums.settled().clipped(NestedRadius::STATED), [0; 3]);
    assert_eq!((sums.records(), sums.occupied().iter().sum::<u64>()), (2, 2));
}

#[test]
fn more_records_than_the_bounds_are_proved_for_are_refused() {
    let mut sums = NestedSums::new(1, Radii::Any, None);
    sums.records = crate::body::lattice::MAX_RECORDS;
    assert_eq!(sums.add(&encoded(&[0.1], Radii::Any)), Err(LatticeError::TooManyRecords));
    let mut one = summed(&[vec![0.1]], Radii::Any, None);
    let before = one.words();
    assert_eq!(one.merge(&sums), Err(LatticeError::TooManyRecords));
    assert_eq!(one.words(), before);
}

#[test]
fn directions_that_are_added_when_a_radius_is_known_give_the_bits_of_one_pass() {
    for products in [None, Some(ProductsOf::First(12)), Some(along(93, 7)), Some(along(300, 7))] {
        let dimension = if products == Some(along(300, 7)) { 300 } else { 93 };
        let records = hostile(15, dimension);
        let whole = summed(&records, Radii::Any, products.clone()).settled();
        let mut record = NestedRecord::new(dimension, Radii::Any).unwrap();
        record.leave_directions();
        let (mut inside, mut buckets) = (NestedSums::new(dimension, Radii::Any, products.clone()), Vec::new());
        for z in &records {
            record.encode(z).unwrap();
            inside.add(&record).unwrap();
            buckets.push(record.bucket());
        }
        assert_eq!(inside.occupied(), whole.occupied());
        assert!(buckets.iter().all(|bucket| !bucket.is_between(NestedRadius::STATED)));
        assert_eq!(inside.settled().clipped(NestedRadius::STATED), whole.clipped(NestedRadius::STATED));
        for radius in NestedRadius::all().skip(1).step_by(5) {
            let needed = records.iter().zip(&buckets).filter(|(_, bucket)| bucket.is_between(radius));
            let needed: Vec<Vec<f64>> = needed.map(|(z, _)| z.clone()).collect();
            let mut sums = inside.settled();
            sums.add_directions(&summed(&needed, Radii::Any, products.clone()));
            assert_eq!(sums.clipped(radius), whole.clipped(radius), "{radius:?}");
        }
    }
}
