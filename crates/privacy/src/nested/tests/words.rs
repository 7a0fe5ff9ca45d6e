use super::*;

fn kinds() -> Vec<(usize, Radii, Option<ProductsOf>)> {
    let mut kinds = Vec::new();
    for radii in [Radii::Any, Radii::Stated] {
        kinds.extend([(3, radii, None), (9, radii, Some(ProductsOf::First(4)))]);
        kinds.extend([(9, radii, Some(along(9, 4))), (130, radii, Some(along(130, 5)))]);
    }
    kinds
}

#[test]
fn sums_come_back_from_their_words_whose_number_is_public() {
    for (dimension, radii, products) in kinds() {
        let empty = || NestedSums::new(dimension, radii, products.clone());
        let records = hostile(18, dimension);
        let sums = summed(&records, radii, products.clone());
        let words = sums.words();
        assert_eq!(words.len(), empty().words().len());
        let mut back = empty().restored(&words, sums.records()).unwrap();
        assert_eq!(back.words(), words);
        assert_eq!(back.clipped(NestedRadius::STATED), sums.settled().clipped(NestedRadius::STATED));
        // and go on as if nothing had happened
        back.merge(&sums).unwrap();
        let twice = [records.clone(), records].concat();
        assert_eq!(back.words(), summed(&twice, radii, products.clone()).words());
        assert!(empty().restored(&empty().words(), 0).is_some());
    }
}

#[test]
fn words_that_no_records_have_are_refused() {
    for (dimension, radii, products) in kinds() {
        let empty = || NestedSums::new(dimension, radii, products.clone());
        let sums = summed(&hostile(19, dimension), radii, products.clone());
        let (words, records) = (sums.words(), sums.records());
        let is_refused = |words: &[i128], records| empty().restored(words, records).is_none();
        assert!(!is_refused(&words, records));
        assert!(is_refused(&words[1..], records) && is_refused(&[words.clone(), vec![0]].concat(), records));
        assert!(is_refused(&words, records + 1) && is_refused(&words, (1 << 40) + 1) && is_refused(&[], records));
        let kept = products.as_ref().map_or(0, |of| of.kept() * (of.kept() + 1) / 2);
        let side = 2 + dimension + kept;
        for start in (0..words.len()).step_by(side) {
            let changed = |place: usize, value: i128| {
                let mut words = words.clone();
                words[start + place] = value;
                is_refused(&words, records)
            };
            // count, energy, a coordinate, a square, a product
            let count = words[start];
            assert!(changed(0, count + 1) && changed(0, -1) && changed(0, i128::MAX), "{start}");
            assert!(changed(1, -1) && changed(1, (count << 44) + 1) && changed(1, i128::MIN), "{start}");
            assert!(changed(2, (count << 22) + 1) && changed(2, i128::MIN) && changed(2, i128::MAX), "{start}");
            if kept > 0 {
                assert!(changed(2 + dimension, -1) && changed(2 + dimension, i128::MAX), "{start}");
                assert!(changed(3 + dimension, (count << 44) + 1) && changed(3 + dimension, i128::MIN), "{start}");
            }
        }
    }
}
