//! The attributes of the `parfor` dialect that have parts.

use crate::{
    attributes::AttributeExt,
    enums::PatternKind,
    ffi,
    view::{FromAttribute, ToAttribute},
};
use melior::{
    Context,
    ir::{Attribute, AttributeLike},
};
use std::fmt;

/// What a parallel loop comes from: `#parfor.pattern`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern<'c> {
    /// The construct.
    pub kind: PatternKind,
    /// Which one it is, for diagnostics alone.
    pub detail: Option<&'c str>,
}

impl<'c> Pattern<'c> {
    /// A pattern with a detail.
    pub const fn new(kind: PatternKind, detail: &'c str) -> Self {
        Self {
            kind,
            detail: Some(detail),
        }
    }
}

/// Without a detail.
impl From<PatternKind> for Pattern<'_> {
    fn from(kind: PatternKind) -> Self {
        Self { kind, detail: None }
    }
}

/// As diagnostics call it: the kind, and the detail.
impl fmt::Display for Pattern<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.kind.name())?;
        match self.detail {
            Some(detail) => write!(formatter, " {detail}"),
            None => Ok(()),
        }
    }
}

impl<'c> FromAttribute<'c> for Pattern<'c> {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        // SAFETY: any attribute may be asked for its kind; the detail is read of a pattern.
        unsafe {
            let raw = attribute.to_raw();
            let kind = PatternKind::from_value(ffi::pyoptParforPatternKind(raw))?;
            let detail = Attribute::from_option_raw(ffi::pyoptParforPatternDetail(raw));
            Some(Self {
                kind,
                detail: detail.and_then(AttributeExt::string_value),
            })
        }
    }
}

impl<'c> ToAttribute<'c> for Pattern<'_> {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        let detail = self.detail.map(|detail| detail.to_attribute(context));
        // SAFETY: the kind is a case of the enum; the null attribute is no detail.
        unsafe {
            let detail = detail.map_or_else(
                || mlir_sys::mlirAttributeGetNull(),
                |detail| detail.to_raw(),
            );
            Attribute::from_raw(ffi::pyoptParforPatternGet(
                context.to_raw(),
                self.kind as i64,
                detail,
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern means the same in assembly and in Rust, and is told apart from its kind.
    #[test]
    fn patterns_are_those_of_the_td() {
        let registry = melior::dialect::DialectRegistry::new();
        crate::register(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        let patterns = [
            ("prange", Pattern::from(PatternKind::Prange), "prange"),
            (
                "reduction \"sum\"",
                Pattern::new(PatternKind::Reduction, "sum"),
                "reduction sum",
            ),
        ];
        for (assembly, pattern, described) in patterns {
            let parsed = Attribute::parse(&context, &format!("#parfor.pattern<{assembly}>"));
            let parsed = parsed.expect("a pattern");
            assert_eq!(parsed, pattern.to_attribute(&context));
            assert_eq!(Pattern::from_attribute(parsed), Some(pattern));
            assert_eq!(pattern.to_string(), described);
        }
        let kind = PatternKind::Prange.to_attribute(&context);
        assert_eq!(Pattern::from_attribute(kind), None);
    }
}
