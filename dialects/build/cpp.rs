//! The C++ that tells the identities of operations, and makes and reads enum attributes.

use crate::model::{Dialect, Storage};
use std::fmt::Write;

/// Writes the file.
pub fn write(dialects: &[Dialect], headers: &[&str]) -> String {
    let mut text = String::from("// Generated from the .td files by build/cpp.rs.\n\n");
    for header in headers {
        writeln!(text, "#include \"{header}\"").unwrap();
    }
    text.push_str("#include \"mlir/CAPI/IR.h\"\n\n");

    text.push_str("extern \"C\" void pyoptOperationIdentities(const void **identities) {\n");
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
