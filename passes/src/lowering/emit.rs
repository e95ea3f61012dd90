//! Short names for the upstream operations that lowerings make.

use crate::infra::{BlockExt, Builder, OperationExt, RegionExt, ValueExt};
use melior::{
    Context,
    dialect::llvm,
    ir::{
        Attribute, BlockRef, Location, OperationRef, Region, Type, Value,
        attribute::{
            DenseI32ArrayAttribute, DenseI64ArrayAttribute, FlatSymbolRefAttribute,
            IntegerAttribute, StringAttribute, TypeAttribute,
        },
        r#type::{FunctionType, IntegerType},
    },
};
use mlir_sys::{MlirStringRef, mlirStringAttrGet};
use std::{cell::RefCell, collections::BTreeMap, ops::Deref};

/// Predicates of `arith.cmpi`, with upstream's numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Int {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Sge = 5,
    Ult = 6,
    Ule = 7,
    Ugt = 8,
    Uge = 9,
}

/// Predicates of `arith.cmpf`, with upstream's numbers: ordered but for `Une` and `Uno`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Float {
    Oeq = 1,
    Ogt = 2,
    Oge = 3,
    Olt = 4,
    Ole = 5,
    Une = 13,
    Uno = 14,
}

/// What a module must declare for the operations in it: functions of the runtime and libm, and
/// the texts of str constants. Ordered by name, so that the result doesn't depend on the order of
/// rewriting.
#[derive(Debug, Default)]
pub(super) struct Externals<'c> {
    functions: RefCell<BTreeMap<String, FunctionType<'c>>>,
    texts: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl<'c> Externals<'c> {
    /// Notes a function that is called.
    fn function(&self, name: &str, r#type: FunctionType<'c>) {
        self.functions.borrow_mut().insert(name.into(), r#type);
    }

    /// Names the constant that holds the code units of a text.
    pub(super) fn text(&self, units: Vec<u8>) -> String {
        // FNV-1a: the name follows from the text alone.
        let hash = units.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut texts = self.texts.borrow_mut();
        let mut name = format!("pyopt.text.{hash:016x}");
        while texts.get(&name).is_some_and(|other| *other != units) {
            name.push('x');
        }
        texts.insert(name.clone(), units);
        name
    }

    /// Declares everything at the start of a module.
    pub(super) fn declare<'a>(&self, builder: &Builder<'c, 'a>, module: OperationRef<'c, 'a>) {
        let Some(block) = module.region_at(0).entry() else {
            return;
        };
        builder.at(Location::unknown(builder.context()));
        builder.at_start(block);
        for (name, r#type) in self.functions.borrow().iter() {
            if module.lookup_symbol(name).is_none() {
                declare_function(builder, name, *r#type);
            }
        }
        for (name, units) in self.texts.borrow().iter() {
            if module.lookup_symbol(name).is_none() {
                define_text(builder, name, units);
            }
        }
    }
}

fn declare_function<'c>(builder: &Builder<'c, '_>, name: &str, r#type: FunctionType<'c>) {
    let context = builder.context();
    let function = builder.op_with(
        "func.func",
        &[],
        &[],
        &[
            ("sym_name", StringAttribute::new(context, name).into()),
            (
                "sym_visibility",
                StringAttribute::new(context, "private").into(),
            ),
            ("function_type", TypeAttribute::new(r#type.into()).into()),
        ],
        |operation| operation.add_regions([Region::new()]),
    );
    if name == "pyopt_alloc" {
        // Fresh memory: nothing else points to it.
        let noalias = Attribute::parse(context, "[{llvm.noalias}]");
        function.set_attr("res_attrs", noalias.expect("the attribute is well-formed"));
    }
}

fn define_text(builder: &Builder, name: &str, units: &[u8]) {
    let context = builder.context();
    let r#type = llvm::r#type::array(IntegerType::new(context, 8).into(), units.len() as u32);
    let text = MlirStringRef {
        data: units.as_ptr().cast(),
        length: units.len(),
    };
    // SAFETY: the context is valid and the attribute copies the bytes.
    let value = unsafe { Attribute::from_raw(mlirStringAttrGet(context.to_raw(), text)) };
    builder.op_with(
        "llvm.mlir.global",
        &[],
        &[],
        &[
            ("sym_name", StringAttribute::new(context, name).into()),
            ("global_type", TypeAttribute::new(r#type).into()),
            ("constant", Attribute::unit(context)),
            (
                "linkage",
                Attribute::parse(context, "#llvm.linkage<internal>").expect("it is well-formed"),
            ),
            (
                "alignment",
                IntegerAttribute::new(IntegerType::new(context, 64).into(), 8).into(),
            ),
            ("value", value),
        ],
        |operation| operation.add_regions([Region::new()]),
    );
}

/// Makes upstream operations where a [`Builder`] stands.
pub(super) struct Emit<'b, 'c, 'a> {
    builder: &'b Builder<'c, 'a>,
    externals: &'b Externals<'c>,
}

impl<'c, 'a> Deref for Emit<'_, 'c, 'a> {
    type Target = Builder<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        self.builder
    }
}

impl<'b, 'c: 'a, 'a> Emit<'b, 'c, 'a> {
    pub(super) fn new(builder: &'b Builder<'c, 'a>, externals: &'b Externals<'c>) -> Self {
        Self { builder, externals }
    }

    /// The list of what the module must declare.
    pub(super) fn externals(&self) -> &'b Externals<'c> {
        self.externals
    }

    /// A signless integer type.
    pub(super) fn i(&self, width: u32) -> Type<'c> {
        IntegerType::new(self.context(), width).into()
    }

    /// The type of pointers.
    pub(super) fn ptr(&self) -> Type<'c> {
        llvm::r#type::pointer(self.context(), 0)
    }

    /// The `index` type.
    pub(super) fn index_type(&self) -> Type<'c> {
        Type::index(self.context())
    }

    /// An `i64` constant.
    pub(super) fn i64(&self, value: i64) -> Value<'c, 'a> {
        self.int(self.i(64), value)
    }

    /// An `i1` constant.
    pub(super) fn bool(&self, value: bool) -> Value<'c, 'a> {
        self.int(self.i(1), value.into())
    }

    /// An operation on two values of the type of its result.
    pub(super) fn bin(&self, name: &str, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(name, &[x, y], x.ty(), &[])
    }

    /// An operation on a value of the type of its result.
    pub(super) fn un(&self, name: &str, x: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(name, &[x], x.ty(), &[])
    }

    /// An operation on one value.
    pub(super) fn to(&self, name: &str, x: Value<'c, 'a>, result: Type<'c>) -> Value<'c, 'a> {
        self.value(name, &[x], result, &[])
    }

    /// `arith.cmpi`.
    pub(super) fn cmpi(&self, kind: Int, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare("arith.cmpi", kind as i64, x, y)
    }

    /// `arith.cmpf`.
    pub(super) fn cmpf(&self, kind: Float, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare("arith.cmpf", kind as i64, x, y)
    }

    fn compare(&self, name: &str, kind: i64, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        let predicate = IntegerAttribute::new(self.i(64), kind).into();
        self.value(name, &[x, y], self.i(1), &[("predicate", predicate)])
    }

    /// `arith.select`.
    pub(super) fn select(
        &self,
        condition: Value<'c, 'a>,
        x: Value<'c, 'a>,
        y: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.value("arith.select", &[condition, x, y], x.ty(), &[])
    }

    /// `arith.andi`.
    pub(super) fn and(&self, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.bin("arith.andi", x, y)
    }

    /// `arith.ori`.
    pub(super) fn or(&self, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.bin("arith.ori", x, y)
    }

    /// The other truth value.
    pub(super) fn not(&self, x: Value<'c, 'a>) -> Value<'c, 'a> {
        self.bin("arith.xori", x, self.bool(true))
    }

    /// Sign-extends or truncates between `index` and an integer.
    pub(super) fn index_cast(&self, x: Value<'c, 'a>, result: Type<'c>) -> Value<'c, 'a> {
        if x.ty() == result {
            return x;
        }
        self.to("arith.index_cast", x, result)
    }

    /// A value of a type that LLVM has as one of another type that stands for it, or back: a
    /// memref and its descriptor.
    pub(super) fn reinterpret(&self, x: Value<'c, 'a>, result: Type<'c>) -> Value<'c, 'a> {
        if x.ty() == result {
            return x;
        }
        self.to("builtin.unrealized_conversion_cast", x, result)
    }

    /// The address `index` elements behind `base`. Without `inbounds` and `nuw`: the index may be
    /// negative.
    pub(super) fn offset(
        &self,
        base: Value<'c, 'a>,
        index: Value<'c, 'a>,
        element: Type<'c>,
    ) -> Value<'c, 'a> {
        self.gep(&[base, index], &[i32::MIN], element)
    }

    /// The address of the `index`th element behind `base`.
    pub(super) fn offset_by(
        &self,
        base: Value<'c, 'a>,
        index: i32,
        element: Type<'c>,
    ) -> Value<'c, 'a> {
        self.gep(&[base], &[index], element)
    }

    /// The address of a field of a struct.
    pub(super) fn field_address(
        &self,
        base: Value<'c, 'a>,
        field: i32,
        r#struct: Type<'c>,
    ) -> Value<'c, 'a> {
        self.gep(&[base], &[0, field], r#struct)
    }

    fn gep(&self, operands: &[Value<'c, 'a>], indices: &[i32], element: Type<'c>) -> Value<'c, 'a> {
        let indices = DenseI32ArrayAttribute::new(self.context(), indices).into();
        let element = TypeAttribute::new(element).into();
        self.value(
            "llvm.getelementptr",
            operands,
            self.ptr(),
            &[("rawConstantIndices", indices), ("elem_type", element)],
        )
    }

    /// Loads from an address that is aligned for the type, or to `alignment` bytes.
    pub(super) fn load(
        &self,
        address: Value<'c, 'a>,
        r#type: Type<'c>,
        alignment: Option<i64>,
    ) -> Value<'c, 'a> {
        let alignment = self.alignment(alignment);
        self.value("llvm.load", &[address], r#type, &alignment)
    }

    /// Stores to an address; see [`Self::load`].
    pub(super) fn store(
        &self,
        value: Value<'c, 'a>,
        address: Value<'c, 'a>,
        alignment: Option<i64>,
    ) {
        let alignment = self.alignment(alignment);
        self.op("llvm.store", &[value, address], &[], &alignment);
    }

    fn alignment(&self, bytes: Option<i64>) -> Vec<(&'static str, Attribute<'c>)> {
        bytes
            .map(|bytes| ("alignment", IntegerAttribute::new(self.i(64), bytes).into()))
            .into_iter()
            .collect()
    }

    /// A field of a struct value.
    pub(super) fn extract(
        &self,
        container: Value<'c, 'a>,
        position: &[i64],
        r#type: Type<'c>,
    ) -> Value<'c, 'a> {
        let position = DenseI64ArrayAttribute::new(self.context(), position).into();
        self.value(
            "llvm.extractvalue",
            &[container],
            r#type,
            &[("position", position)],
        )
    }

    /// A struct value with another field.
    pub(super) fn insert_field(
        &self,
        container: Value<'c, 'a>,
        position: &[i64],
        value: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let position = DenseI64ArrayAttribute::new(self.context(), position).into();
        self.value(
            "llvm.insertvalue",
            &[container, value],
            container.ty(),
            &[("position", position)],
        )
    }

    /// The zero of a type that LLVM has: also the null pointer.
    pub(super) fn zero(&self, r#type: Type<'c>) -> Value<'c, 'a> {
        self.value("llvm.mlir.zero", &[], r#type, &[])
    }

    /// A value of any kind that may be anything.
    pub(super) fn poison(&self, r#type: Type<'c>) -> Value<'c, 'a> {
        let value = Attribute::parse(self.context(), "#ub.poison").expect("it is well-formed");
        self.value("ub.poison", &[], r#type, &[("value", value)])
    }

    /// Calls a function of the runtime or libm, which the module will declare.
    pub(super) fn call(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> OperationRef<'c, 'a> {
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
        let r#type = FunctionType::new(self.context(), &types, results);
        self.externals.function(name, r#type);
        self.call_symbol(name, arguments, results)
    }

    /// Calls a function that returns one value; see [`Self::call`].
    pub(super) fn call_value(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        result: Type<'c>,
    ) -> Value<'c, 'a> {
        self.call(name, arguments, &[result]).result_value(0)
    }

    /// Calls a function of the module.
    pub(super) fn call_symbol(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> OperationRef<'c, 'a> {
        let callee = FlatSymbolRefAttribute::new(self.context(), name).into();
        self.op("func.call", arguments, results, &[("callee", callee)])
    }

    /// Calls an LLVM intrinsic.
    pub(super) fn intrinsic(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        result: Type<'c>,
    ) -> Value<'c, 'a> {
        let context = self.context();
        let segments = [arguments.len() as i32, 0];
        self.value(
            "llvm.call_intrinsic",
            arguments,
            result,
            &[
                ("intrin", StringAttribute::new(context, name).into()),
                (
                    "operandSegmentSizes",
                    DenseI32ArrayAttribute::new(context, &segments).into(),
                ),
                (
                    "op_bundle_sizes",
                    DenseI32ArrayAttribute::new(context, &[]).into(),
                ),
            ],
        )
    }

    /// `scf.if` with results; each branch gives its values.
    pub(super) fn if_else(
        &self,
        condition: Value<'c, 'a>,
        results: &[Type<'c>],
        then: impl FnOnce() -> Vec<Value<'c, 'a>>,
        otherwise: impl FnOnce() -> Vec<Value<'c, 'a>>,
    ) -> Vec<Value<'c, 'a>> {
        let operation = self.op_with("scf.if", &[condition], results, &[], |operation| {
            operation.add_regions([Region::new(), Region::new()])
        });
        self.append_block(operation.region_at(0), &[]);
        let values = then();
        self.op("scf.yield", &values, &[], &[]);
        self.append_block(operation.region_at(1), &[]);
        let values = otherwise();
        self.op("scf.yield", &values, &[], &[]);
        self.after(operation);
        operation.result_values()
    }

    /// `scf.for` from 0 to `count` with step 1, over `index`, carrying values.
    pub(super) fn for_each(
        &self,
        count: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(Value<'c, 'a>, &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>>,
    ) -> Vec<Value<'c, 'a>> {
        let types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
        let mut operands = vec![self.index(0), count, self.index(1)];
        operands.extend(carried);
        let operation = self.op_with("scf.for", &operands, &types, &[], |operation| {
            operation.add_regions([Region::new()])
        });
        let arguments: Vec<_> = [self.index_type()].into_iter().chain(types).collect();
        let block = self.append_block(operation.region_at(0), &arguments);
        let arguments = block.argument_values();
        let values = body(arguments[0], &arguments[1..]);
        self.op("scf.yield", &values, &[], &[]);
        self.after(operation);
        operation.result_values()
    }

    /// `cf.br`.
    pub(super) fn branch(&self, to: BlockRef<'c, 'a>, arguments: &[Value<'c, 'a>]) {
        self.op_with("cf.br", arguments, &[], &[], |operation| {
            operation.add_successors(&[&to])
        });
    }

    /// `cf.cond_br`; `rare` says that the condition hardly ever holds.
    pub(super) fn branch_if(
        &self,
        condition: Value<'c, 'a>,
        rare: bool,
        (then, then_arguments): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
        (otherwise, arguments): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
    ) {
        let context = self.context();
        let segments = [1, then_arguments.len() as i32, arguments.len() as i32];
        let mut attributes = vec![(
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(context, &segments).into(),
        )];
        if rare {
            let weights = DenseI32ArrayAttribute::new(context, &[1, 1 << 20]);
            attributes.push(("branch_weights", weights.into()));
        }
        let operands = [&[condition], then_arguments, arguments].concat();
        self.op_with("cf.cond_br", &operands, &[], &attributes, |operation| {
            operation.add_successors(&[&then, &otherwise])
        });
    }

    /// A function of the module that only it can call, at the end of `module`; the builder goes
    /// to its entry block, whose arguments are returned.
    pub(super) fn define(
        &self,
        module: OperationRef<'c, 'a>,
        name: &str,
        r#type: FunctionType<'c>,
    ) -> (OperationRef<'c, 'a>, Vec<Value<'c, 'a>>) {
        let context = self.context();
        if let Some(block) = module.region_at(0).entry() {
            self.at_end(block);
        }
        let function = self.op_with(
            "func.func",
            &[],
            &[],
            &[
                ("sym_name", StringAttribute::new(context, name).into()),
                ("function_type", TypeAttribute::new(r#type.into()).into()),
            ],
            |operation| operation.add_regions([Region::new()]),
        );
        make_internal(context, function);
        let inputs: Vec<_> = (0..r#type.input_count())
            .filter_map(|index| r#type.input(index).ok())
            .collect();
        let block = self.append_block(function.region_at(0), &inputs);
        (function, block.argument_values())
    }
}

/// Lets only the module call a function, so that LLVM may inline and drop it.
pub(super) fn make_internal<'c>(context: &'c Context, function: OperationRef<'c, '_>) {
    function.set_attr("sym_visibility", StringAttribute::new(context, "private"));
    let internal = Attribute::parse(context, "#llvm.linkage<internal>");
    function.set_attr(
        "llvm.linkage",
        internal.expect("the attribute is well-formed"),
    );
}
