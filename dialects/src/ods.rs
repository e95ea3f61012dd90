//! Operation builders and accessors generated from the `.td` files.

#![allow(missing_docs, clippy::all)]

melior::dialect! {
    name: "py",
    files: ["pyopt/Py/PyOps.td"],
    include_directory_env_vars: ["PYOPT_TD_INCLUDE"],
}

melior::dialect! {
    name: "typed",
    files: ["pyopt/Typed/TypedOps.td"],
    include_directory_env_vars: ["PYOPT_TD_INCLUDE"],
}

melior::dialect! {
    name: "parfor",
    files: ["pyopt/Parfor/ParforOps.td"],
    include_directory_env_vars: ["PYOPT_TD_INCLUDE"],
}

melior::dialect! {
    name: "stencil",
    files: ["pyopt/Stencil/StencilOps.td"],
    include_directory_env_vars: ["PYOPT_TD_INCLUDE"],
}
