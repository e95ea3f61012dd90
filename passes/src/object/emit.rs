//! Short names for the operations of the llvm dialect that object mode makes.

use crate::infra::{Builder, OpBuilder, ValueExt, ops::llvm};
use melior::{
    Context,
    dialect::llvm::r#type as types,
    ir::{
        BlockRef, Location, Operation, OperationRef, Type, Value,
        attribute::{DenseElementsAttribute, IntegerAttribute},
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

pub(super) use llvm::ICmpPredicate as Compare;

impl<'c, 'a> Deref for Emit<'c, 'a> {
    type Target = Builder<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        &self.builder
    }
}

impl<'c: 'a, 'a> OpBuilder<'c, 'a> for Emit<'c, 'a> {
    fn context(&self) -> &'c Context {
        self.builder.context()
    }

    fn location(&self) -> Location<'c> {
        self.builder.location()
    }

    fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        OpBuilder::insert(&self.builder, operation)
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
        types::pointer(self.context(), 0)
    }

    pub(super) fn i(&self, width: u32) -> Type<'c> {
        IntegerType::new(self.context(), width).into()
    }

    pub(super) fn number(&self, width: u32, value: i64) -> Value<'c, 'a> {
        let r#type = self.i(width);
        let value = IntegerAttribute::new(r#type, value).into();
        llvm::Constant::create(self, value, r#type).res()
    }

    pub(super) fn null(&self) -> Value<'c, 'a> {
        llvm::Zero::create(self, self.ptr()).res()
    }

    /// The address some bytes behind another.
    pub(super) fn address(&self, base: Value<'c, 'a>, bytes: usize) -> Value<'c, 'a> {
        if bytes == 0 {
            return base;
        }
        llvm::GEP::create(self, base, &[], &[bytes as i32], self.i(8), self.ptr()).res()
    }

    /// The address a computed number of bytes behind another.
    pub(super) fn address_by(&self, base: Value<'c, 'a>, bytes: Value<'c, 'a>) -> Value<'c, 'a> {
        llvm::GEP::create(self, base, &[bytes], &[i32::MIN], self.i(8), self.ptr()).res()
    }

    pub(super) fn load(
        &self,
        r#type: Type<'c>,
        base: Value<'c, 'a>,
        bytes: usize,
    ) -> Value<'c, 'a> {
        llvm::Load::create(self, self.address(base, bytes), r#type).res()
    }

    pub(super) fn load_pointer(&self, base: Value<'c, 'a>, bytes: usize) -> Value<'c, 'a> {
        self.load(self.ptr(), base, bytes)
    }

    pub(super) fn store(&self, value: Value<'c, 'a>, base: Value<'c, 'a>, bytes: usize) {
        llvm::Store::create(self, value, self.address(base, bytes));
    }

    /// Memory for `count` pointers in the function's stack frame.
    pub(super) fn slots(&self, count: usize) -> Value<'c, 'a> {
        let size = self.number(64, count as i64);
        llvm::Alloca::create(self, size, self.ptr(), self.ptr()).res()
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
        llvm::ICmp::create(self, kind, x, y).res()
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
        llvm::Select::create(self, condition, x, y).res()
    }

    /// Calls a function of the runtime, which the module will declare, or of the module.
    pub(super) fn call(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        result: Option<Type<'c>>,
    ) -> llvm::Call<'c, 'a> {
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
        let void = types::void(self.context());
        let signature = types::function(result.unwrap_or(void), &types, false);
        self.functions.borrow_mut().insert(name.into(), signature);
        let call = llvm::Call::create(self, arguments, &[], &[], result);
        call.set_callee(Some(name));
        call
    }

    fn call_value(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        r#type: Type<'c>,
    ) -> Value<'c, 'a> {
        let call = self.call(name, arguments, Some(r#type));
        call.result().expect("the call has a result")
    }

    pub(super) fn call_pointer(&self, name: &str, arguments: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        self.call_value(name, arguments, self.ptr())
    }

    pub(super) fn call_status(&self, name: &str, arguments: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        self.call_value(name, arguments, self.i(32))
    }

    /// Calls a function by its address.
    pub(super) fn call_address(
        &self,
        function: Value<'c, 'a>,
        argument: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let call = llvm::Call::create(self, &[function, argument], &[], &[], Some(self.ptr()));
        call.result().expect("the call has a result")
    }

    pub(super) fn branch(&self, target: BlockRef<'c, 'a>, arguments: &[Value<'c, 'a>]) {
        llvm::Br::create(self, arguments, target);
    }

    pub(super) fn branch_if(
        &self,
        condition: Value<'c, 'a>,
        on_true: BlockRef<'c, 'a>,
        on_false: BlockRef<'c, 'a>,
    ) {
        llvm::CondBr::create(self, condition, &[], &[], on_true, on_false);
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
        let tensor = RankedTensorType::new(&[cases.len() as u64], self.i(32), None);
        let values: Vec<i32> = cases.iter().map(|case| case.0 as i32).collect();
        let values = DenseElementsAttribute::i32_values(tensor.into(), &values);
        let segments = vec![0; cases.len()];
        let targets: Vec<_> = cases.iter().map(|case| case.1).collect();
        let switch = llvm::Switch::create(self, number, &[], &[], &segments, default, &targets);
        switch.set_case_values(Some(values.into()));
    }

    pub(super) fn return_value(&self, value: Value<'c, 'a>) {
        llvm::Return::create(self, Some(value));
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
