//! Looks a key up once for as long as its dict or set stays as it is.
//!
//! `counts[word] += 1` reads an item and puts one in, and `if key in table: … table[key]` tests before it
//! reads: each is a lookup of the same key, which hashes it and compares it with another one.

use crate::{
    analysis::{
        container_changes::{Summaries, callee},
        effects::may_alias,
        sizes::library_role,
    },
    infra::{
        BlockExt, Builder, OperationExt, OperationInterfaces, PassContext, PassResult, PassSpec,
        RegionExt, StatisticSpec, ValueExt,
        ops::{func, marks, scf, typed},
    },
    types::{containers::may_hold, objects::is_plain},
};
use melior::ir::{BlockRef, OperationRef, Value};
use pyopt_dialects::enums::LibraryRole;
use std::collections::HashMap;

/// The `typed-share-lookups` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A call of the overload library that is marked as a lookup of a key gets the result of an \
                  earlier one of the same key in the same table, if that stands on all paths to it and nothing between \
                  them may change the table: no operation or callee that changes it or what may be it, no \
                  function of the host. Keys of programs' own classes aren't shared: comparing them runs the \
                  program's code. Runs on structured control flow.",
    dialects: &["typed"],
    statistics: &[StatisticSpec::new(
        "shared",
        "lookups that an earlier one has made needless",
    )],
    ..PassSpec::new(
        "typed-share-lookups",
        "look keys up once while their table stays as it is",
        run,
    )
};

/// So many lookups are remembered at once, which keeps the pass linear.
const MOST_LOOKUPS: usize = 8;

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let mut pass = Pass {
        cx,
        builder: Builder::new(cx.context(), module),
        summaries: Summaries::of_entries(),
        unknown: HashMap::new(),
    };
    for function in module.nested_ops::<func::Func>() {
        let lookups = function.nested_ops::<typed::Call>();
        if lookups.into_iter().filter(|call| is_lookup(*call)).count() > 1
            && let Some(body) = function.body().entry()
        {
            pass.share(body, &mut Vec::new());
        }
    }
    Ok(())
}

struct Pass<'x, 'c, 'a> {
    cx: &'x PassContext<'c>,
    builder: Builder<'c, 'a>,
    summaries: Summaries<'c>,
    /// Whether functions run code that isn't in the module, by their symbols.
    unknown: HashMap<&'c str, bool>,
}

impl<'c: 'a, 'a> Pass<'_, 'c, 'a> {
    /// Shares the lookups of a block, of which some are known before it, and leaves those that are known
    /// behind it.
    fn share(&mut self, block: BlockRef<'c, 'a>, known: &mut Vec<typed::Call<'c, 'a>>) {
        for operation in block.operation_list() {
            if let Some(call) = typed::Call::of(operation).filter(|call| is_lookup(*call)) {
                self.share_call(call, known);
                continue;
            }
            let mut behind = known.clone();
            self.forget_changed(operation, &mut behind);
            let is_branch = operation.isa::<scf::If>() || operation.isa::<scf::IndexSwitch>();
            for inner in operation.nested_blocks() {
                // What a loop changes has changed when its body begins again.
                let mut inside = if is_branch { &*known } else { &behind }.clone();
                self.share(inner, &mut inside);
            }
            *known = behind;
        }
    }

    fn share_call(&mut self, call: typed::Call<'c, 'a>, known: &mut Vec<typed::Call<'c, 'a>>) {
        let is_same = |other: &&typed::Call<'c, 'a>| {
            other.callee() == call.callee() && other.inputs() == call.inputs()
        };
        if let Some(before) = known.iter().find(is_same) {
            self.cx.bump("shared", 1);
            self.builder.replace_op(*call, &before.result_values());
            return;
        }
        if known.len() == MOST_LOOKUPS {
            known.remove(0);
        }
        known.push(call);
    }

    /// Forgets the lookups in tables that an operation, with those inside of it, may change.
    fn forget_changed(
        &mut self,
        operation: OperationRef<'c, 'a>,
        known: &mut Vec<typed::Call<'c, 'a>>,
    ) {
        if known.is_empty() {
            return;
        }
        if (operation.pre_order().into_iter()).any(|inner| self.is_unknown(inner)) {
            known.clear();
            return;
        }
        let changed = self.summaries.changed_by(operation);
        known.retain(|lookup| {
            let table = lookup.inputs()[0];
            !changed.iter().any(|one| may_be(*one, table))
        });
    }

    /// Whether an operation, those inside of it aside, may run code that isn't in the module.
    fn is_unknown(&mut self, operation: OperationRef<'c, 'a>) -> bool {
        match callee(operation) {
            Some(symbol) => self.runs_unknown(operation, symbol),
            None => is_unknown_alone(operation),
        }
    }

    fn runs_unknown(&mut self, caller: OperationRef<'c, 'a>, symbol: &'c str) -> bool {
        if let Some(known) = self.unknown.get(symbol) {
            return *known;
        }
        let mut reached = vec![symbol];
        let mut next = 0;
        let mut found = false;
        while let Some(symbol) = reached.get(next).copied().filter(|_| !found) {
            next += 1;
            let declared = caller.lookup_symbol(symbol).and_then(func::Func::of);
            let defined = declared.filter(|function| function.body().entry().is_some());
            let Some(function) = defined else {
                let is_of_runtime = |function: func::Func<'c, 'a>| {
                    let mut kinds = [marks::NATIVE, marks::LINKED].into_iter();
                    kinds.any(|kind| function.attr(kind).is_some())
                };
                found = !declared.is_some_and(is_of_runtime);
                continue;
            };
            for operation in function.pre_order() {
                match callee(operation) {
                    Some(other) if !reached.contains(&other) => reached.push(other),
                    Some(_) => {}
                    None => found |= is_unknown_alone(operation),
                }
            }
        }
        self.unknown.insert(symbol, found);
        found
    }
}

/// Whether nothing is known of what an operation does that neither calls by name nor holds others.
fn is_unknown_alone(operation: OperationRef) -> bool {
    operation.effects().is_none()
        && operation.region_list().is_empty()
        && !operation.is_terminator()
        && !operation.isa::<func::Func>()
}

/// Whether a call looks a key up that is compared without running the program's code.
fn is_lookup<'c: 'a, 'a>(call: typed::Call<'c, 'a>) -> bool {
    library_role(call) == Some(LibraryRole::Lookup) && is_plain(call.inputs()[1].ty())
}

/// Whether a container may be a table, or hold it.
fn may_be<'c: 'a, 'a>(container: Value<'c, 'a>, table: Value<'c, 'a>) -> bool {
    match container.ty() == table.ty() {
        true => may_alias(container, table),
        false => may_hold(container.ty(), table.ty()),
    }
}
