//! Short names for the operations of the llvm dialect that object mode makes.

use crate::infra::{Builder, OperationExt, ValueExt};
use melior::{
    dialect::llvm,
    ir::{
        Attribute, BlockRef, OperationRef, Region, Type, Value,
        attribute::{
            DenseElementsAttribute, DenseI32ArrayAttribute, FlatSymbolRefAttribute,
            IntegerAttribute, StringAttribute, TypeAttribute,
        },
        r#type::{IntegerType, RankedTensorType},
    },
};
use std::{cell::RefCell, collections::BTreeMap, ops::Deref};

/// The signatures of the functions that are called, by name: result (none for `void`) and
/// arguments.
type Functions<'c> = RefCell<BTreeMap<String, Type<'c>>>;

/// Makes operations where a [`Builder`] stands.
pub(super) struct Emit<'c, 'a> {
    builder: Builder<'c, 'a>,
    functions: Functions<'c>,
}

/// Predicates of `llvm.icmp`, with LLVM's numbers.
#[derive(Clone, Copy)]
pub(super) enum Compare {
    Eq = 0,
    Ne = 1,
    Slt = 2,
}

impl<'c, 'a> Deref for Emit<'c, 'a> {
    type Target = Builder<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        &self.builder
    }
}

impl<'c: 'a, 'a> Emit<'c, 'a> {
    pub(super) fn new(builder: Builder<'c, 'a>) -> Self {
        Self {
            builder,
            functions: RefCell::default(),
        }
    }

    pub(super) fn ptr(&self) -> Type<'c> {
        llvm::r#type::pointer(self.context(), 0)
    }

    pub(super) fn i(&self, width: u32) -> Type<'c> {
        IntegerType::new(self.context(), width).into()
    }

    pub(super) fn number(&self, width: u32, value: i64) -> Value<'c, 'a> {
        let r#type = self.i(width);
        let value = IntegerAttribute::new(r#type, value).into();
        self.value("llvm.mlir.constant", &[], r#type, &[("value", value)])
    }

    pub(super) fn null(&self) -> Value<'c, 'a> {
        self.value("llvm.mlir.zero", &[], self.ptr(), &[])
    }

    /// The address some bytes behind another.
    pub(super) fn address(&self, base: Value<'c, 'a>, bytes: usize) -> Value<'c, 'a> {
        if bytes == 0 {
            return base;
        }
        let indices = DenseI32ArrayAttribute::new(self.context(), &[bytes as i32]).into();
        let element = TypeAttribute::new(self.i(8)).into();
        self.value(
            "llvm.getelementptr",
            &[base],
            self.ptr(),
            &[("rawConstantIndices", indices), ("elem_type", element)],
        )
    }

    /// The address a computed number of bytes behind another.
    pub(super) fn address_by(&self, base: Value<'c, 'a>, bytes: Value<'c, 'a>) -> Value<'c, 'a> {
        let indices = DenseI32ArrayAttribute::new(self.context(), &[i32::MIN]).into();
        let element = TypeAttribute::new(self.i(8)).into();
        self.value(
            "llvm.getelementptr",
            &[base, bytes],
            self.ptr(),
            &[("rawConstantIndices", indices), ("elem_type", element)],
        )
    }

    pub(super) fn load(
        &self,
        r#type: Type<'c>,
        base: Value<'c, 'a>,
        bytes: usize,
    ) -> Value<'c, 'a> {
        self.value("llvm.load", &[self.address(base, bytes)], r#type, &[])
    }

    pub(super) fn load_pointer(&self, base: Value<'c, 'a>, bytes: usize) -> Value<'c, 'a> {
        self.load(self.ptr(), base, bytes)
    }

    pub(super) fn store(&self, value: Value<'c, 'a>, base: Value<'c, 'a>, bytes: usize) {
        self.op("llvm.store", &[value, self.address(base, bytes)], &[], &[]);
    }

    /// Memory for `count` pointers in the function's stack frame.
    pub(super) fn slots(&self, count: usize) -> Value<'c, 'a> {
        let size = self.number(64, count as i64);
        let element = TypeAttribute::new(self.ptr()).into();
        self.value(
            "llvm.alloca",
            &[size],
            self.ptr(),
            &[("elem_type", element)],
        )
    }

    pub(super) fn binary(&self, name: &str, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(name, &[x, y], x.ty(), &[])
    }

    pub(super) fn compare(
        &self,
        kind: Compare,
        x: Value<'c, 'a>,
        y: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let predicate = IntegerAttribute::new(self.i(64), kind as i64).into();
        self.value("llvm.icmp", &[x, y], self.i(1), &[("predicate", predicate)])
    }

    pub(super) fn is_null(&self, x: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare(Compare::Eq, x, self.null())
    }

    pub(super) fn select(
        &self,
        condition: Value<'c, 'a>,
        x: Value<'c, 'a>,
        y: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.value("llvm.select", &[condition, x, y], x.ty(), &[])
    }

    /// Calls a function of the runtime, which the module will declare, or of the module.
    pub(super) fn call(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        result: Option<Type<'c>>,
    ) -> OperationRef<'c, 'a> {
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
        let void = llvm::r#type::void(self.context());
        let signature = llvm::r#type::function(result.unwrap_or(void), &types, false);
        self.functions.borrow_mut().insert(name.into(), signature);
        let context = self.context();
        let segments = DenseI32ArrayAttribute::new(context, &[arguments.len() as i32, 0]).into();
        let bundles = DenseI32ArrayAttribute::new(context, &[]).into();
        let callee = FlatSymbolRefAttribute::new(context, name).into();
        self.op(
            "llvm.call",
            arguments,
            result.as_slice(),
            &[
                ("callee", callee),
                ("operandSegmentSizes", segments),
                ("op_bundle_sizes", bundles),
            ],
        )
    }

    pub(super) fn call_pointer(&self, name: &str, arguments: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        self.call(name, arguments, Some(self.ptr())).result_value(0)
    }

    pub(super) fn call_status(&self, name: &str, arguments: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        self.call(name, arguments, Some(self.i(32))).result_value(0)
    }

    /// Calls a function by its address.
    pub(super) fn call_address(
        &self,
        function: Value<'c, 'a>,
        argument: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let context = self.context();
        let segments = DenseI32ArrayAttribute::new(context, &[2, 0]).into();
        let bundles = DenseI32ArrayAttribute::new(context, &[]).into();
        self.value(
            "llvm.call",
            &[function, argument],
            self.ptr(),
            &[
                ("operandSegmentSizes", segments),
                ("op_bundle_sizes", bundles),
            ],
        )
    }

    pub(super) fn branch(&self, target: BlockRef<'c, 'a>, arguments: &[Value<'c, 'a>]) {
        self.op_with("llvm.br", arguments, &[], &[], |operation| {
            operation.add_successors(&[&target])
        });
    }

    pub(super) fn branch_if(
        &self,
        condition: Value<'c, 'a>,
        on_true: BlockRef<'c, 'a>,
        on_false: BlockRef<'c, 'a>,
    ) {
        let segments = DenseI32ArrayAttribute::new(self.context(), &[1, 0, 0]).into();
        self.op_with(
            "llvm.cond_br",
            &[condition],
            &[],
            &[("operandSegmentSizes", segments)],
            |operation| operation.add_successors(&[&on_true, &on_false]),
        );
    }

    /// Goes to the block of a 32-bit number, or to the default.
    pub(super) fn switch(
        &self,
        number: Value<'c, 'a>,
        default: BlockRef<'c, 'a>,
        cases: &[(i64, BlockRef<'c, 'a>)],
    ) {
        if cases.is_empty() {
            return self.branch(default, &[]);
        }
        let context = self.context();
        let tensor = RankedTensorType::new(&[cases.len() as u64], self.i(32), None);
        let values: Vec<i32> = cases.iter().map(|case| case.0 as i32).collect();
        let values = DenseElementsAttribute::i32_values(tensor.into(), &values);
        let segments = DenseI32ArrayAttribute::new(context, &[1, 0, 0]).into();
        let operands = DenseI32ArrayAttribute::new(context, &vec![0; cases.len()]).into();
        self.op_with(
            "llvm.switch",
            &[number],
            &[],
            &[
                ("case_values", values.into()),
                ("case_operand_segments", operands),
                ("operandSegmentSizes", segments),
            ],
            |operation| {
                let targets = cases.iter().map(|case| case.1);
                let targets: Vec<_> = std::iter::once(default).chain(targets).collect();
                let targets: Vec<_> = targets.iter().map(|target| &**target).collect();
                operation.add_successors(&targets)
            },
        );
    }

    pub(super) fn return_value(&self, value: Value<'c, 'a>) {
        self.op("llvm.return", &[value], &[], &[]);
    }

    /// Makes an `llvm.func`; its body is empty for one that is declared only.
    pub(super) fn function(
        &self,
        name: &str,
        r#type: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> OperationRef<'c, 'a> {
        let own = [
            (
                "sym_name",
                StringAttribute::new(self.context(), name).into(),
            ),
            ("function_type", TypeAttribute::new(r#type).into()),
        ];
        let attributes: Vec<_> = own.into_iter().chain(attributes.iter().copied()).collect();
        self.op_with("llvm.func", &[], &[], &attributes, |operation| {
            operation.add_regions([Region::new()])
        })
    }

    /// The functions that calls were made of.
    pub(super) fn called(&self) -> Vec<(String, Type<'c>)> {
        let functions = self.functions.borrow();
        functions
            .iter()
            .map(|(name, r#type)| (name.clone(), *r#type))
            .collect()
    }
}
