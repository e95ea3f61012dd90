//===- Options.h - Options declared from a table ---------------------------===//

#ifndef PYOPT_PASSES_OPTIONS_H
#define PYOPT_PASSES_OPTIONS_H

#include "Glue.h"
#include "mlir/Pass/PassOptions.h"
#include <memory>
#include <vector>

namespace pyopt {

/// The options of one pass or pipeline instance, in the order of its table.
///
/// MLIR expects options to be members; these are made at run time. `Parent` is
/// a pass or a PassOptions, `OptionT` and `ListT` the classes it registers with.
class OptionSet {
public:
  template <template <typename> class OptionT, template <typename> class ListT,
            typename Parent>
  void declare(Parent &parent, const PyoptOptionSpec *specs, intptr_t count) {
    entries.reserve(count);
    for (const PyoptOptionSpec &spec : llvm::ArrayRef(specs, count))
      entries.push_back(makeEntry<OptionT, ListT>(parent, spec));
  }

  int64_t integer(intptr_t index) const {
    const Entry &entry = entries[index];
    return entry.boolean ? entry.boolean->getValue()
                         : entry.integer->getValue();
  }
  llvm::StringRef text(intptr_t index) const {
    return entries[index].text->getValue();
  }
  llvm::ArrayRef<int64_t> integers(intptr_t index) const {
    return **std::as_const(entries[index].integers);
  }
  llvm::ArrayRef<std::string> texts(intptr_t index) const {
    return **std::as_const(entries[index].texts);
  }

private:
  using Options = mlir::detail::PassOptions;

  /// Exactly one of the pointers is set.
  struct Entry {
    std::unique_ptr<Options::Option<bool>> boolean;
    std::unique_ptr<Options::Option<int64_t>> integer;
    std::unique_ptr<Options::Option<std::string>> text;
    std::unique_ptr<Options::ListOption<int64_t>> integers;
    std::unique_ptr<Options::ListOption<std::string>> texts;
  };

  template <template <typename> class OptionT, template <typename> class ListT,
            typename Parent>
  static Entry makeEntry(Parent &parent, const PyoptOptionSpec &spec) {
    using llvm::cl::desc;
    using llvm::cl::init;
    // llvm::cl keeps references to both strings; the table never goes away.
    llvm::StringRef name = unwrap(spec.name);
    desc description(unwrap(spec.description));
    Entry entry;
    switch (spec.kind) {
    case PyoptOptionBool:
      entry.boolean = std::make_unique<OptionT<bool>>(
          parent, name, description, init(spec.integer != 0));
      break;
    case PyoptOptionInteger:
      entry.integer = std::make_unique<OptionT<int64_t>>(
          parent, name, description, init(spec.integer));
      break;
    case PyoptOptionText:
      entry.text = std::make_unique<OptionT<std::string>>(
          parent, name, description, init(toString(spec.text)));
      break;
    case PyoptOptionIntegerList: {
      llvm::ArrayRef<int64_t> values(spec.integers, spec.count);
      entry.integers = std::make_unique<ListT<int64_t>>(
          parent, name, description, llvm::cl::list_init<int64_t>(values));
      break;
    }
    case PyoptOptionTextList: {
      std::vector<std::string> values;
      for (MlirStringRef text : llvm::ArrayRef(spec.texts, spec.count))
        values.push_back(toString(text));
      entry.texts = std::make_unique<ListT<std::string>>(
          parent, name, description,
          llvm::cl::list_init<std::string>(llvm::ArrayRef(values)));
      break;
    }
    }
    return entry;
  }

  std::vector<Entry> entries;
};

} // namespace pyopt

#endif // PYOPT_PASSES_OPTIONS_H
