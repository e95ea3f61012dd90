//! The C++ that tells the identities of operations, and makes and reads enum attributes.

use crate::model::{Dialect, Parameter, ParameterKind, Storage, TypeDef, camel};
use std::fmt::Write;

/// Writes the file; `identities` is the name of the function that tells them.
pub fn write(dialects: &[Dialect], headers: &[&str], identities: &str) -> String {
    let mut text = String::from("// Generated from the .td files by pyopt-build.\n\n");
    for header in headers {
        writeln!(text, "#include \"{header}\"").unwrap();
    }
    text.push_str("#include \"mlir/CAPI/IR.h\"\n\n");

    writeln!(
        text,
        "extern \"C\" void {identities}(const void **identities) {{"
    )
    .unwrap();
    for operation in dialects.iter().flat_map(|dialect| &dialect.operations) {
        let class = &operation.class;
        writeln!(
            text,
            "  *identities++ = ::mlir::TypeID::get<{class}>().getAsOpaquePointer();"
        )
        .unwrap();
    }
    text.push_str("}\n");

    for dialect in dialects {
        for one in dialect.enums.values() {
            if let Storage::Own(attribute) = &one.storage {
                write_enum(&mut text, dialect.name, &one.name, &one.class, attribute);
            }
        }
        for one in &dialect.types {
            write_type(&mut text, dialect.name, one);
        }
    }
    text
}

fn write_enum(text: &mut String, dialect: &str, name: &str, class: &str, attribute: &str) {
    write!(
        text,
        r#"
extern "C" MlirAttribute pyoptEnumGet_{dialect}_{name}(MlirContext context, int64_t value) {{
  return wrap({attribute}::get(unwrap(context), static_cast<{class}>(value)));
}}
extern "C" int64_t pyoptEnumValue_{dialect}_{name}(MlirAttribute attribute) {{
  auto found = ::llvm::dyn_cast_or_null<{attribute}>(unwrap(attribute));
  return found ? static_cast<int64_t>(found.getValue()) : -1;
}}
"#
    )
    .unwrap();
}

/// Writes the functions that recognise, make and read a type.
fn write_type(text: &mut String, dialect: &str, one: &TypeDef) {
    let TypeDef { name, class, .. } = one;
    writeln!(
        text,
        "extern \"C\" bool pyoptTypeIs_{dialect}_{name}(MlirType type) {{\n  \
         return ::llvm::isa<{class}>(unwrap(type));\n}}"
    )
    .unwrap();
    let kinds: Option<Vec<_>> = (one.parameters.iter())
        .map(|parameter| Some((&parameter.name, parameter.kind?)))
        .collect();
    if let Some(parameters) = kinds {
        let given: String = (parameters.iter())
            .map(|(name, kind)| format!(", {} {name}", foreign(*kind)))
            .collect();
        let handed: String = (parameters.iter())
            .map(|(name, kind)| match kind {
                ParameterKind::Number => format!(", {name}"),
                _ => format!(", unwrap({name})"),
            })
            .collect();
        writeln!(
            text,
            "extern \"C\" MlirType pyoptTypeGet_{dialect}_{name}(MlirContext context{given}) {{\n  \
             return wrap(::mlir::Type({class}::get(unwrap(context){handed})));\n}}"
        )
        .unwrap();
    }
    for Parameter { name: key, kind } in &one.parameters {
        let Some(kind) = kind else { continue };
        let read = format!("::llvm::cast<{class}>(unwrap(type)).get{}()", camel(key));
        let value = match kind {
            ParameterKind::Number => read,
            _ => format!("wrap({read})"),
        };
        writeln!(
            text,
            "extern \"C\" {} pyoptType_{key}_{dialect}_{name}(MlirType type) {{\n  \
             return {value};\n}}",
            foreign(*kind)
        )
        .unwrap();
    }
}

/// The type that C has for a parameter.
fn foreign(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Number => "int64_t",
        ParameterKind::Type => "MlirType",
        ParameterKind::Attribute => "MlirAttribute",
    }
}
