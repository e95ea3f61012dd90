//===- Glue.h - What the C++ glue files share ------------------------------===//
//
// MLIR's C API has no pass registration, no pass options and no dialect
// conversion. These files add them. Everything crosses the border as plain C
// structs and functions; the Rust side of each is in `src/infra/ffi.rs`.
//
//===----------------------------------------------------------------------===//

#ifndef PYOPT_PASSES_GLUE_H
#define PYOPT_PASSES_GLUE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

extern "C" {

/// What an option holds; `options.rs` has the same numbers.
enum PyoptOptionKind : int32_t {
  PyoptOptionBool = 0,
  PyoptOptionInteger = 1,
  PyoptOptionText = 2,
  PyoptOptionIntegerList = 3,
  PyoptOptionTextList = 4,
};

/// One option of a pass or a pipeline with its default.
struct PyoptOptionSpec {
  MlirStringRef name;
  MlirStringRef description;
  PyoptOptionKind kind;
  int64_t integer;
  MlirStringRef text;
  const int64_t *integers;
  const MlirStringRef *texts;
  intptr_t count;
};

/// A pass written in Rust. The pointers live as long as the process.
struct PyoptPassSpec {
  MlirStringRef name;
  MlirStringRef summary;
  /// The operation the pass runs on; empty for any.
  MlirStringRef anchor;
  const PyoptOptionSpec *options;
  intptr_t optionCount;
  const MlirStringRef *dialects;
  intptr_t dialectCount;
  const void *userData;
  /// Runs the pass; false when it failed. Never unwinds.
  bool (*run)(const void *userData, const void *options, MlirOperation op);
};

/// A named pipeline written in Rust. The pointers live as long as the process.
struct PyoptPipelineSpec {
  MlirStringRef name;
  MlirStringRef summary;
  const PyoptOptionSpec *options;
  intptr_t optionCount;
  const void *userData;
  /// Hands the pipeline's text to `sink`; false, with a message instead of the
  /// text, when the options make no sense. Never unwinds.
  bool (*build)(const void *userData, const void *options,
                MlirStringCallback sink, void *sinkData);
};

} // extern "C"

namespace pyopt {

/// Makes a std::string of what Rust or the C API hands over.
inline std::string toString(MlirStringRef ref) {
  return std::string(ref.data, ref.length);
}

/// A callback that appends to the std::string behind `data`.
inline void appendToString(MlirStringRef part, void *data) {
  static_cast<std::string *>(data)->append(part.data, part.length);
}

} // namespace pyopt

#endif // PYOPT_PASSES_GLUE_H
