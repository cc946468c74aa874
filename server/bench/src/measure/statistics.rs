/// The middle one; of an even number the mean of the two in the middle.
pub fn median(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => Some(sorted[middle]),
        _ => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
    }
}

/// The value that `hundredths` of a hundred do not exceed.
pub fn percentile(values: &[f64], hundredths: usize) -> Option<f64> {
    let sorted = sorted(values);
    let place = (sorted.len() * hundredths).div_ceil(100).max(1) - 1;
    sorted.get(place).copied()
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hundred_the_last_but_one_is_the_ninety_ninth() {
        let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(&values, 99), Some(99.0));
        assert_eq!(percentile(&values[..1], 99), Some(100.0));
        assert_eq!(percentile(&[], 99), None);
        assert_eq!(median(&values), Some(50.5));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
    }
}
