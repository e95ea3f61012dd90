//! Which generators of `mlir-tblgen` make which file: flags and endings of names.

/// A generator's flag, and how its file's name ends.
pub type Output = (&'static str, &'static str);

/// Of a dialect itself.
pub const DIALECT: &[Output] = &[
    ("-gen-dialect-decls", "Dialect.h.inc"),
    ("-gen-dialect-defs", "Dialect.cpp.inc"),
];

/// Of its operations.
pub const OPERATIONS: &[Output] = &[
    ("-gen-op-decls", "Ops.h.inc"),
    ("-gen-op-defs", "Ops.cpp.inc"),
];

/// Of its enums.
pub const ENUMS: &[Output] = &[
    ("-gen-enum-decls", "Enums.h.inc"),
    ("-gen-enum-defs", "Enums.cpp.inc"),
];

/// Of its types.
pub const TYPES: &[Output] = &[
    ("-gen-typedef-decls", "Types.h.inc"),
    ("-gen-typedef-defs", "Types.cpp.inc"),
];

/// Of its attributes.
pub const ATTRIBUTES: &[Output] = &[
    ("-gen-attrdef-decls", "Attributes.h.inc"),
    ("-gen-attrdef-defs", "Attributes.cpp.inc"),
];

/// Of its declarative rewrites.
pub const PATTERNS: &[Output] = &[("-gen-rewriters", "Patterns.cpp.inc")];
