//! What the names of columns say of where the columns lie.

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;

/// Names of months and of days of the week, by which tables are sorted that know letters alone.
const CALENDAR: [&[&str]; 2] = [
    &[
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ],
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
];

/// Where columns of these names lie, if all of them are numbers, dates, months or times of the day, with the same text before and
/// after each: numbers as they are, times in hours, dates in days after the first, months and days of the week by their number.
pub(crate) fn positions(names: &[&str]) -> Option<Vec<f64>> {
    if let Some(dates) = read_all(names, date) {
        let first = dates.iter().copied().fold(f64::INFINITY, f64::min);
        return Some(dates.iter().map(|hours| (hours - first) / 24.0).collect());
    }
    let whole = [plain, clock, month, of_months, of_week].into_iter().find_map(|read| read_all(names, read));
    if whole.is_some() {
        return whole;
    }
    if are_unclear_dates(names) {
        return None;
    }
    let (start, end) = shared(names)?;
    let middle =
        |from: usize| -> Option<Vec<&str>> { names.iter().map(|name| name.get(from..name.len() - end)).collect() };
    let is_signed = names[0][..start].ends_with(['-', '+']);
    // a mark between a word and a number may be a sign
    let signed = if is_signed { middle(start - 1).and_then(|names| read_all(&names, plain)) } else { None };
    let unsigned = middle(start).and_then(|names| [plain, clock].into_iter().find_map(|read| read_all(&names, read)));
    match (signed, unsigned) {
        (Some(signed), _) if increases(&signed) => Some(signed),
        (signed, unsigned) => unsigned.or(signed),
    }
}

/// Whether these names are times of the day.
pub(crate) fn are_times(names: &[&str]) -> bool {
    names.iter().all(|name| name.contains(':')) && !are_dates(names)
}

/// Whether these names are dates, which are counted from the first.
pub(crate) fn are_dates(names: &[&str]) -> bool {
    read_all(names, date).is_some()
}

/// Whether these names are dates whose day and month cannot be told apart, such as `1/5/24`.
pub(crate) fn are_unclear_dates(names: &[&str]) -> bool {
    let is_one = |name: &&str| {
        let pieces: Vec<&str> = name.trim().split('/').collect();
        let is_whole = |piece: &str, lengths: &[usize]| {
            lengths.contains(&piece.len()) && piece.bytes().all(|byte| byte.is_ascii_digit())
        };
        matches!(pieces[..], [one, other, year] if is_whole(one, &[1, 2]) && is_whole(other, &[1, 2]) && is_whole(year, &[2, 4]))
    };
    names.iter().all(is_one)
}

/// Whether each is larger than the one before it.
pub(crate) fn increases(positions: &[f64]) -> bool {
    positions.windows(2).all(|pair| pair[0] < pair[1])
}

/// Whether they lie at equal distances, up to what rounding to two digits may change.
pub(crate) fn are_equally_spaced(positions: &[f64]) -> bool {
    const ROUNDING: f64 = 0.02;
    let (Some(first), Some(last)) = (positions.first(), positions.last()) else { return true };
    let step = (last - first) / (positions.len() - 1).max(1) as f64;
    positions.iter().enumerate().all(|(place, t)| (t - first - step * place as f64).abs() <= ROUNDING * step.abs())
}

/// A name with one `#` in place of each number, date or time in it: columns of one curve share it.
pub(crate) fn shape(name: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ':' | '-' | '+' | '/' | ' ');
    let mut shape = String::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| is_part(c) != is_part(first)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(length);
        shape += if piece.contains(|c: char| c.is_ascii_digit()) { "#" } else { piece };
        rest = after;
    }
    shape
}

fn read_all(names: &[&str], read: fn(&str) -> Option<f64>) -> Option<Vec<f64>> {
    names.iter().map(|name| read(name.trim())).collect()
}

/// The lengths of the text before and after the number, the same in all names.
fn shared(names: &[&str]) -> Option<(usize, usize)> {
    let first = names.first()?.as_bytes();
    let shortest = names.iter().map(|name| name.len()).min()?;
    let same = |place: &usize, of: fn(&[u8], usize) -> u8| {
        names.iter().all(|name| of(name.as_bytes(), *place) == of(first, *place))
    };
    let before = (0..shortest).take_while(|place| same(place, |name, place| name[place])).count();
    let is_boundary = |place: &usize| names[0].is_char_boundary(*place);
    let start = without_number(&names[0][..(0..=before).rev().find(is_boundary)?]);
    let from_end = |name: &[u8], place: usize| name[name.len() - 1 - place];
    let after = (0..shortest - start).take_while(|place| same(place, from_end)).count();
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let tail = &names[0][(first.len() - after..=first.len()).find(is_boundary)?..];
    Some((start, tail.trim_start_matches(is_part).len()))
}

/// The length of a text without the beginning of a number at its end.
fn without_number(text: &str) -> usize {
    let kept = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | 'e' | 'E'));
    if text[kept.len()..].contains(|c: char| c.is_ascii_digit()) { kept.len() } else { text.len() }
}

fn plain(text: &str) -> Option<f64> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-'));
    text.parse().ok().filter(|value: &f64| is_number && value.is_finite())
}

/// Hours: `7:30`, `07:30:15`.
fn clock(text: &str) -> Option<f64> {
    let mut pieces = text.split(':');
    let hours = whole(pieces.next()?, 0..=24)?;
    let minutes = whole(pieces.next()?, 0..=59)?;
    let seconds =
        pieces.next().map_or(Some(0.0), |text| plain(text).filter(|seconds| (0.0..60.0).contains(seconds)))?;
    pieces.next().is_none().then(|| f64::from(hours) + f64::from(minutes) / 60.0 + seconds / 3600.0)
}

/// Hours: `2026-01-31`, `2026/1/31`, `31.1.2026` or `20260131`, also with a time of the day after it.
fn date(text: &str) -> Option<f64> {
    let (day, time) = text.split_once([' ', 'T']).map_or((text, None), |(day, time)| (day, Some(time)));
    let hours = time.map_or(Some(0.0), |time| clock(time.trim().trim_end_matches('Z')))?;
    let pieces: Vec<&str> = day.split(['-', '/', '.']).collect();
    let (year, month, day) = match pieces[..] {
        [year, month, day] if year.len() == 4 => (year, month, day),
        [day, month, year] if year.len() == 4 && text.contains('.') => (year, month, day),
        [digits] if digits.len() == 8 => (digits.get(..4)?, digits.get(4..6)?, digits.get(6..)?),
        _ => return None,
    };
    let (year, month, day) = (whole(year, 1600..=2400)?, whole(month, 1..=12)?, whole(day, 1..=31)?);
    // the year begins in March, so that the day that is not always there is its last
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    Some(24.0 * f64::from(days) + hours)
}

/// Months: `2026-01`.
fn month(text: &str) -> Option<f64> {
    let (year, month) = text.split_once('-').filter(|(year, month)| year.len() == 4 && month.len() == 2)?;
    Some(f64::from(12 * whole(year, 1600..=2400)? + whole(month, 1..=12)?))
}

fn of_months(text: &str) -> Option<f64> {
    in_calendar(CALENDAR[0], text)
}

fn of_week(text: &str) -> Option<f64> {
    in_calendar(CALENDAR[1], text)
}

/// The number of a name that is written in full or by its first three letters.
fn in_calendar(names: &[&str], text: &str) -> Option<f64> {
    let text = text.to_ascii_lowercase();
    names.iter().position(|name| *name == text || name[..3] == *text).map(|place| place as f64 + 1.0)
}

fn whole(text: &str, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
    let is_plain = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_plain && range.contains(number))
}
