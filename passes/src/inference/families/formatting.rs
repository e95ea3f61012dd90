//! `str.format`: a template that is known is taken apart here, any other one by Python's own, and what
//! `str.format_map` gets.

use super::{packed_keywords, texts};
use crate::inference::{
    arguments::Arguments,
    emit::Emit,
    issue::{Stop, Typing},
    val::Val,
};

/// A part of a template.
#[derive(Debug, PartialEq)]
enum Piece<'t> {
    Text(String),
    Field {
        value: Place<'t>,
        conversion: &'t str,
        spec: &'t str,
    },
}

/// Which argument a field is for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place<'t> {
    At(usize),
    Named(&'t str),
}

/// `template.format(…)`.
pub(crate) fn format_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    template: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let fields = template
        .literal_str()
        .and_then(pieces)
        .and_then(|pieces| with_values(&pieces, arguments));
    let Some(fields) = fields else {
        return by_python(e, template, arguments);
    };
    let mut parts = Vec::new();
    for field in &fields {
        parts.push(match field {
            Filled::Text(text) => e.string(text),
            Filled::Field(value, conversion, spec) => {
                let spec = e.string(spec);
                texts::format(e, *value, conversion, Some(spec))?
            }
        });
    }
    Ok(match parts.as_slice() {
        [only] => *only,
        _ => texts::concat(e, &parts),
    })
}

/// `template.format_map(mapping)`: with a dict that is known by its keys, or one that Python gets.
pub(crate) fn format_map_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    template: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [mapping] = arguments.bind(["mapping"], 1)?;
    let mapping = mapping.ok_or(Stop::Unknown)?;
    let Some(entries) = packed_keywords::unpack(e, mapping) else {
        return texts::make_text(e, "format_map", &[template, mapping], template.ty);
    };
    let names: Vec<_> = entries.iter().map(|(name, _)| *name).collect();
    let mut inputs = vec![template, e.string(&names.join("\0"))];
    inputs.extend(entries.iter().map(|(_, value)| *value));
    texts::make_text(e, "format_keys", &inputs, template.ty)
}

/// A part with the value of its field, its conversion and specification.
enum Filled<'c, 'a> {
    Text(String),
    Field(Val<'c, 'a>, String, String),
}

/// The parts with their values; `None` if one isn't there: Python knows which exception that is.
fn with_values<'c, 'a>(
    pieces: &[Piece],
    arguments: &Arguments<'c, 'a>,
) -> Option<Vec<Filled<'c, 'a>>> {
    let filled = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => Some(Filled::Text(text.clone())),
        Piece::Field {
            value,
            conversion,
            spec,
        } => {
            let value = match value {
                Place::At(at) => *arguments.positional.get(*at)?,
                Place::Named(name) => {
                    let mut keywords = arguments.keywords.iter();
                    keywords.find(|(keyword, _)| keyword == name)?.1
                }
            };
            Some(Filled::Field(value, (*conversion).into(), (*spec).into()))
        }
    });
    filled.collect()
}

/// Has Python format the values.
fn by_python<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    template: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let names: Vec<_> = arguments.keywords.iter().map(|(name, _)| *name).collect();
    let mut inputs = vec![template, e.string(&names.join(","))];
    inputs.extend(arguments.values());
    texts::make_text(e, "format_template", &inputs, template.ty)
}

/// Takes a template apart; `None` where a field is anything but the number or name of an argument with a
/// plain specification.
fn pieces(template: &str) -> Option<Vec<Piece<'_>>> {
    let mut found = Vec::new();
    let mut text = String::new();
    let mut rest = template;
    let mut next = 0;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let (brace, behind) = rest[at..].split_at(1);
        if let Some(behind) = behind.strip_prefix(brace) {
            text.push_str(brace);
            rest = behind;
            continue;
        }
        let (field, behind) = behind.split_once('}').filter(|_| brace == "{")?;
        if !text.is_empty() {
            found.push(Piece::Text(std::mem::take(&mut text)));
        }
        found.push(self::field(field, &mut next)?);
        rest = behind;
    }
    text.push_str(rest);
    if !text.is_empty() || found.is_empty() {
        found.push(Piece::Text(text));
    }
    // Python refuses numbers that are written beside those that are counted.
    let is_at = |piece: &&Piece| {
        matches!(
            piece,
            Piece::Field {
                value: Place::At(_),
                ..
            }
        )
    };
    let with_positions = found.iter().filter(is_at).count();
    (next == 0 || next == with_positions).then_some(found)
}

/// Reads what is between braces: `value!conversion:specification`.
fn field<'t>(text: &'t str, next: &mut usize) -> Option<Piece<'t>> {
    let (head, spec) = text.split_once(':').unwrap_or((text, ""));
    let (name, conversion) = head.split_once('!').unwrap_or((head, ""));
    let is_plain = !spec.contains('{') && conversion.is_empty() != head.contains('!');
    if !is_plain || !matches!(conversion, "" | "s" | "r" | "a") {
        return None;
    }
    let value = match name {
        "" => {
            *next += 1;
            Place::At(*next - 1)
        }
        _ if name.bytes().all(|byte| byte.is_ascii_digit()) => Place::At(name.parse().ok()?),
        _ if name.contains(['.', '[', ' ']) => return None,
        _ => Place::Named(name),
    };
    Some(Piece::Field {
        value,
        conversion,
        spec,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field_of<'t>(value: Place<'t>, conversion: &'t str, spec: &'t str) -> Piece<'t> {
        Piece::Field {
            value,
            conversion,
            spec,
        }
    }

    #[test]
    fn templates_are_taken_apart() {
        assert_eq!(
            pieces("{{a}} {} {!r:>5}"),
            Some(vec![
                Piece::Text("{a} ".into()),
                field_of(Place::At(0), "", ""),
                Piece::Text(" ".into()),
                field_of(Place::At(1), "r", ">5"),
            ])
        );
        assert_eq!(
            pieces("{1}{name}{1}"),
            Some(vec![
                field_of(Place::At(1), "", ""),
                field_of(Place::Named("name"), "", ""),
                field_of(Place::At(1), "", ""),
            ])
        );
        assert_eq!(pieces(""), Some(vec![Piece::Text(String::new())]));
    }

    #[test]
    fn what_python_has_to_read_is_left_to_it() {
        for template in [
            "{", "}", "{0.real}", "{0[1]}", "{:{}}", "{}{0}", "{!x}", "{!}", "{0!r!s}",
        ] {
            assert_eq!(pieces(template), None, "{template}");
        }
    }
}
