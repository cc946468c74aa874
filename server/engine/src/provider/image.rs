//! Whether a model can take an image. Both dialects take PNG, JPEG, GIF and WebP, and refuse the whole conversation for one that is
//! something else or is broken; so the type comes from the content, never from a name.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The limit of the stricter provider, in base64 characters.
const LONGEST: usize = 5 << 20;

/// The limit of the stricter provider, in pixels a side.
const WIDEST: u32 = 8000;

/// What is to become of an image.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It can be sent, with this type.
    Take(&'static str),
    /// It is a drawing in text: its source.
    Source(String),
    /// It must be left out, for this reason.
    LeaveOut(&'static str),
}

pub(super) fn examine(data_base64: &str) -> Verdict {
    if data_base64.is_empty() {
        return Verdict::LeaveOut("it is empty");
    }
    let Ok(bytes) = STANDARD.decode(data_base64) else { return Verdict::LeaveOut("its data is damaged") };
    if let Some(source) = svg(&bytes) {
        return Verdict::Source(source);
    }
    let Some(Seen { media_type, whole, sides }) = look(&bytes) else {
        return Verdict::LeaveOut("models take PNG, JPEG, GIF and WebP only");
    };
    let Some((width, height)) = sides.filter(|_| whole) else { return Verdict::LeaveOut("it is cut short or damaged") };
    if width == 0 || height == 0 {
        return Verdict::LeaveOut("it is cut short or damaged");
    }
    if width.max(height) > WIDEST {
        return Verdict::LeaveOut("it is wider or higher than 8000 pixels");
    }
    if data_base64.len() > LONGEST {
        return Verdict::LeaveOut("it is larger than 3.7 MB");
    }
    Verdict::Take(media_type)
}

/// What the bytes say of themselves.
struct Seen {
    media_type: &'static str,
    /// Whether the end is there.
    whole: bool,
    /// Width and height.
    sides: Option<(u32, u32)>,
}

fn look(bytes: &[u8]) -> Option<Seen> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        let whole = bytes.windows(8).rev().take(64).any(|window| window == b"IEND\xAE\x42\x60\x82");
        let sides = big(bytes, 16).zip(big(bytes, 20));
        return Some(Seen { media_type: "image/png", whole, sides });
    }
    if bytes.starts_with(b"\xFF\xD8\xFF") {
        // the end mark; some cameras write more after it
        let whole = bytes.windows(2).rev().take(64 << 10).any(|window| window == b"\xFF\xD9");
        let sides = jpeg_sides(bytes);
        return Some(Seen { media_type: "image/jpeg", whole, sides });
    }
    if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        let whole = bytes.len() > 13 && bytes.iter().rev().take(64).any(|byte| *byte == 0x3B);
        let sides = little(bytes, 6).zip(little(bytes, 8));
        return Some(Seen { media_type: "image/gif", whole, sides });
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        let told = bytes.get(4..8).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes)?;
        let whole = usize::try_from(told).is_ok_and(|told| told + 8 <= bytes.len());
        let sides = webp_sides(bytes);
        return Some(Seen { media_type: "image/webp", whole, sides });
    }
    None
}

fn big(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

fn little(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 2)?.try_into().ok().map(|two| u32::from(u16::from_le_bytes(two)))
}

/// From the first frame header; the segments before it are skipped by their lengths.
fn jpeg_sides(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let [mark, kind, high, low] = *bytes.get(at..at + 4)?.first_chunk::<4>()?;
        if mark != 0xFF {
            return None;
        }
        match kind {
            0xFF => at += 1,
            0xC0..=0xCF if !matches!(kind, 0xC4 | 0xC8 | 0xCC) => {
                let side = |at: usize| bytes.get(at..at + 2).map(|two| u32::from(two[0]) << 8 | u32::from(two[1]));
                return side(at + 7).zip(side(at + 5));
            }
            0x01 | 0xD0..=0xD8 => at += 2,
            _ => at += 2 + (usize::from(high) << 8 | usize::from(low)),
        }
    }
}

fn webp_sides(bytes: &[u8]) -> Option<(u32, u32)> {
    let three =
        |at: usize| bytes.get(at..at + 3).map(|of| u32::from(of[0]) | u32::from(of[1]) << 8 | u32::from(of[2]) << 16);
    match bytes.get(12..16)? {
        b"VP8X" => Some((three(24)? + 1, three(27)? + 1)),
        b"VP8L" => {
            let bits = bytes.get(21..25)?.try_into().ok().map(u32::from_le_bytes)?;
            Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
        }
        b"VP8 " => Some((little(bytes, 26)? & 0x3FFF, little(bytes, 28)? & 0x3FFF)),
        _ => None,
    }
}

fn svg(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let is_svg =
        start.starts_with("<svg") || (start.starts_with("<?xml") || start.starts_with("<!")) && start.contains("<svg");
    is_svg.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    const WEBP: &str = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";

    fn jpeg(width: u16, height: u16) -> Vec<u8> {
        let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8];
        bytes.extend(height.to_be_bytes());
        bytes.extend(width.to_be_bytes());
        bytes.extend([1, 1, 0x11, 0, 0xFF, 0xD9]);
        bytes
    }

    #[test]
    fn the_type_comes_from_the_content() {
        assert_eq!(examine(PNG), Verdict::Take("image/png"));
        assert_eq!(examine(GIF), Verdict::Take("image/gif"));
        assert_eq!(examine(WEBP), Verdict::Take("image/webp"));
        assert_eq!(examine(&STANDARD.encode(jpeg(40, 30))), Verdict::Take("image/jpeg"));
        let svg = "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>";
        assert_eq!(examine(&STANDARD.encode(svg)), Verdict::Source(svg.into()));
    }

    #[test]
    fn what_would_be_refused_is_left_out() {
        let mut wide = STANDARD.decode(PNG).expect("base64");
        wide[16..20].copy_from_slice(&12_000_u32.to_be_bytes());
        let mut heavy = jpeg(10, 10);
        heavy.splice(
            8..8,
            [0xFF, 0xFE, 0xFF, 0xFF].into_iter().chain(std::iter::repeat_n(0, 0xFFFD)).cycle().take(65_537 * 64),
        );
        let cases: [(String, &str); 8] = [
            (String::new(), "empty"),
            ("not base64!".into(), "damaged"),
            (STANDARD.encode(&STANDARD.decode(PNG).expect("base64")[..60]), "cut short"),
            (STANDARD.encode(jpeg(0, 3)), "cut short"),
            (STANDARD.encode(wide), "8000"),
            (STANDARD.encode(jpeg(9000, 3)), "8000"),
            (STANDARD.encode(heavy), "3.7 MB"),
            (STANDARD.encode(b"\x00\x00\x00\x18ftypheic"), "only"),
        ];
        for (data, part) in cases {
            let verdict = examine(&data);
            assert!(matches!(verdict, Verdict::LeaveOut(reason) if reason.contains(part)), "{part}: {verdict:?}");
        }
    }

    #[test]
    fn no_cut_of_an_image_is_trouble() {
        for image in [STANDARD.decode(PNG), STANDARD.decode(GIF), STANDARD.decode(WEBP), Ok(jpeg(5, 5))] {
            let bytes = image.expect("base64");
            for end in 1..bytes.len() {
                let verdict = examine(&STANDARD.encode(&bytes[..end]));
                assert!(matches!(verdict, Verdict::LeaveOut(_)), "{end} of {}: {verdict:?}", bytes.len());
            }
        }
    }
}
