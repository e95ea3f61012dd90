//! How `llvm-tblgen`'s records become the model: the one place that knows the classes of MLIR's `.td` files.

use super::{
    Argument, Arity, Attribute, Case, Dialect, Enum, Group, IntegerKind, Kind, Operation,
    Parameter, ParameterKind, Presence, Storage, TypeDef, camel, snake,
};
use crate::tablegen::{Record, Records};
use std::collections::BTreeMap;

impl Dialect {
    /// Reads a dialect's records; `own` says that its sources are at hand and not upstream's. In the
    /// generated file the modules of `siblings` stand beside its own.
    pub fn read(
        name: &'static str,
        wants: fn(&str) -> bool,
        own: bool,
        siblings: &[&'static str],
        records: &Records,
    ) -> Self {
        let mut dialect = Self {
            name,
            operations: Vec::new(),
            enums: BTreeMap::new(),
            types: Vec::new(),
            siblings: siblings.to_vec(),
            taken: Vec::new(),
            infers: records.has("InferTypeOpInterface"),
        };
        let mut operations = records.of_class("Op");
        operations.retain(|record| {
            let owner = record.record("opDialect");
            owner.is_some_and(|owner| owner.text("name") == name) && wants(record.text("opName"))
        });
        dialect.taken = operations.iter().map(|record| view_name(*record)).collect();
        for record in operations {
            let operation = dialect.operation(record);
            dialect.operations.push(operation);
        }
        // Those that are parts of attributes, or noted on operations of other dialects. Of upstream's
        // dialects the operations' are enough.
        if own {
            for record in records.of_class("EnumAttr") {
                let owner = record.record("dialect");
                if owner.is_some_and(|owner| owner.text("name") == name) {
                    dialect.enum_kind(record);
                }
            }
        }
        dialect
    }

    /// Also reads the types.
    pub fn with_types(mut self, records: &Records) -> Self {
        let types = records.of_class("TypeDef").into_iter();
        let owned = types.filter_map(|record| Some((record.record("dialect")?, record)));
        let own = owned.filter(|(owner, _)| owner.text("name") == self.name);
        self.types = own.map(|(owner, record)| type_def(owner, record)).collect();
        self
    }

    fn operation(&mut self, record: Record) -> Operation {
        let class = class_name(record);
        let results = groups(record.dag("results"));
        let traits = record.list("traits");
        let has = |name: &str| traits.iter().any(|one| one.name() == name);
        Operation {
            name: view_name(record),
            class: format!("{}::{class}", record.text("cppNamespace")),
            mnemonic: format!("{}.{}", self.name, record.text("opName")),
            summary: record.text("summary").to_owned(),
            arguments: (record.dag("arguments").into_iter().enumerate())
                .map(|(at, (constraint, name))| match name {
                    "" => self.argument(constraint, &format!("part{at}")),
                    name => self.argument(constraint, name),
                })
                .collect(),
            infers_results: self.infers && infers_results(record, &traits, &results),
            results,
            regions: groups(record.dag("regions")),
            successors: groups(record.dag("successors")),
            operand_segments: has("AttrSizedOperandSegments"),
            result_segments: has("AttrSizedResultSegments"),
        }
    }

    fn argument(&mut self, constraint: Record, name: &str) -> Argument {
        if !constraint.is_a("Attr") && !constraint.is_a("Property") {
            return Argument::Operand(group(constraint, name));
        }
        let presence = if constraint.is_a("Property") || is_optional(constraint) {
            Presence::Optional
        } else if !constraint.text("defaultValue").is_empty() {
            Presence::Defaulted
        } else {
            Presence::Required
        };
        Argument::Attribute(Attribute {
            key: name.to_owned(),
            kind: self.kind(constraint),
            presence,
        })
    }

    fn kind(&mut self, constraint: Record) -> Kind {
        let mut base = constraint;
        while let Some(inner) = base.record("baseAttr") {
            base = inner;
        }
        if let Some(kind) = self.enum_kind(base) {
            return kind;
        }
        if !base.text("rustType").is_empty() {
            return Kind::Parts(base.text("rustType").to_owned());
        }
        match (base.text("storageType"), base.text("returnType")) {
            _ if base.name() == "Py_ByteStringAttr" => Kind::Bytes,
            ("::mlir::StringAttr", _) => Kind::Text,
            ("::mlir::FlatSymbolRefAttr", _) => Kind::Symbol,
            ("::mlir::BoolAttr", _) => Kind::Bool,
            ("::mlir::UnitAttr", _) => Kind::Unit,
            ("::mlir::TypeAttr", _) => Kind::Type,
            ("::mlir::ArrayAttr", _) => Kind::Array,
            ("::mlir::DenseI64ArrayAttr", _) => Kind::I64s,
            ("::mlir::DenseF64ArrayAttr", _) => Kind::F64s,
            ("::mlir::DenseI32ArrayAttr", _) => Kind::I32s,
            ("::mlir::IntegerAttr", _) => integer_kind(base).map_or(Kind::Other, Kind::Integer),
            _ => Kind::Other,
        }
    }

    /// The kind of an attribute that is one of the cases of an enum, or a set of them.
    fn enum_kind(&mut self, base: Record) -> Option<Kind> {
        let (cases, storage) = if base.is_a("EnumAttr") {
            let class = format!(
                "{}::{}",
                base.text("cppNamespace"),
                base.text("cppClassName")
            );
            (base.record("enum")?, Storage::Own(class))
        } else if base.is_a("EnumAttrInfo") && base.number("genSpecializedAttr") == 1 {
            (base, Storage::Integer(base.number("bitwidth")))
        } else {
            return None;
        };
        let owner = base
            .record("dialect")
            .map_or("", |owner| owner.text("name"));
        if !owner.is_empty() && owner != self.name {
            let name = cases.text("className");
            let modules = match self.siblings.contains(&owner) {
                true => "super",
                false => "::pyopt_dialects::ops",
            };
            return Some(Kind::Enum(format!("{modules}::{owner}::{name}")));
        }
        let mut name = cases.text("className").to_owned();
        if self.taken.contains(&name) {
            name.push_str("Kind");
        }
        self.enums.entry(name.clone()).or_insert_with(|| Enum {
            name: name.clone(),
            class: format!(
                "{}::{}",
                cases.text("cppNamespace"),
                cases.text("className")
            ),
            summary: cases.text("summary").to_owned(),
            cases: cases.list("enumerants").into_iter().map(case).collect(),
            storage,
            is_set: cases.is_a("BitEnumBase"),
        });
        Some(Kind::Enum(name))
    }
}

/// The name of an operation's C++ class.
fn class_name<'r>(record: Record<'r>) -> &'r str {
    let name = record.name();
    name.split_once('_').map_or(name, |(_, class)| class)
}

/// The name of an operation's view.
fn view_name(record: Record) -> String {
    let class = class_name(record);
    camel(class.strip_suffix("Op").unwrap_or(class))
}

fn type_def(owner: Record, record: Record) -> TypeDef {
    let class = record.text("cppClassName");
    let parameters = record.typed_dag("parameters").into_iter();
    TypeDef {
        name: class.strip_suffix("Type").unwrap_or(class).to_owned(),
        class: format!("{}::{class}", owner.text("cppNamespace")),
        summary: record.text("summary").to_owned(),
        parameters: parameters
            .map(|(class, name)| Parameter {
                name: snake(name),
                kind: parameter_kind(class),
            })
            .collect(),
    }
}

fn parameter_kind(class: &str) -> Option<ParameterKind> {
    const NUMBERS: [&str; 8] = [
        "bool", "int", "unsigned", "int64_t", "uint64_t", "int32_t", "uint32_t", "size_t",
    ];
    match class.trim_start_matches("::") {
        class if NUMBERS.contains(&class) => Some(ParameterKind::Number),
        "mlir::Type" | "Type" => Some(ParameterKind::Type),
        "mlir::Attribute" | "Attribute" => Some(ParameterKind::Attribute),
        _ => None,
    }
}

fn case(record: Record) -> Case {
    Case {
        name: camel(record.text("symbol")),
        keyword: record.text("str").to_owned(),
        value: record.number("value"),
    }
}

fn integer_kind(base: Record) -> Option<IntegerKind> {
    let r#type = base.record("valueType")?;
    let width = r#type.number("bitwidth");
    if r#type.name() == "Index" {
        Some(IntegerKind::Index)
    } else if r#type.is_a("I") {
        Some(IntegerKind::Signless(width))
    } else if r#type.is_a("SI") {
        Some(IntegerKind::Signed(width))
    } else {
        None
    }
}

fn is_optional(constraint: Record) -> bool {
    constraint.number("isOptional") == 1 || constraint.record("baseAttr").is_some_and(is_optional)
}

fn groups(dag: Vec<(Record, &str)>) -> Vec<Group> {
    let named = dag.into_iter().enumerate();
    named
        .map(|(position, (constraint, name))| match name {
            "" => group(constraint, &format!("part{position}")),
            name => group(constraint, name),
        })
        .collect()
}

fn group(constraint: Record, name: &str) -> Group {
    // `Arg` and `Res` put effects around the constraint itself.
    let constraint = constraint.record("constraint").unwrap_or(constraint);
    let variadic = ["Variadic", "VariadicRegion", "VariadicSuccessor"];
    let arity = if variadic.iter().any(|class| constraint.is_a(class)) {
        Arity::Variadic
    } else if constraint.is_a("Optional") {
        Arity::Optional
    } else {
        Arity::One
    };
    Group {
        name: snake(name),
        arity,
    }
}

/// Whether `mlir-tblgen` infers the types of all results: each is the only type of its constraint,
/// or a trait says which other type it follows from.
fn infers_results(operation: Record, traits: &[Record], results: &[Group]) -> bool {
    let names = [
        "InferTypeOpInterface",
        "InferTypeOpAdaptor",
        "SameOperandsAndResultType",
    ];
    let by_trait = traits.iter().any(|one| {
        names.contains(&one.name()) || one.text("trait").starts_with("InferTypeOpInterface")
    });
    let constraints = operation.dag("results");
    let mut known: Vec<&str> = (constraints.iter())
        .filter(|(constraint, _)| !constraint.text("builderCall").is_empty())
        .map(|(_, name)| *name)
        .collect();
    known.extend(operation.dag("arguments").into_iter().map(|(_, name)| name));
    loop {
        let before = known.len();
        for one in traits {
            let values = one.texts("values");
            if one.is_a("AllTypesMatch") && values.iter().any(|value| known.contains(value)) {
                let new = values.into_iter().filter(|value| !known.contains(value));
                known.extend(new.collect::<Vec<_>>());
            }
            let [from, to] = [one.text("lhs"), one.text("rhs")];
            if one.is_a("TypesMatchWith") && known.contains(&from) && !known.contains(&to) {
                known.push(to);
            }
        }
        if known.len() == before {
            break;
        }
    }
    let single = results.iter().all(|result| result.arity == Arity::One);
    !results.is_empty()
        && single
        && (by_trait || constraints.iter().all(|(_, name)| known.contains(name)))
}
