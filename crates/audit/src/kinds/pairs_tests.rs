use super::*;

#[test]
fn both_data_sets_of_a_pair_are_of_curves_or_both_of_subjects() {
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        for Pair { name, left, right } in of_bought(neighbours) {
            // as `Target::curves` decides; others beside them have one curve each
            let [left, right] = [left, right].map(|records| records.iter().any(|record| record.len() != 1));
            assert_eq!(left, right, "{name}");
        }
    }
}
