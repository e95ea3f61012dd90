//! Reports of problems, with the calls that led to them.

use super::{Program, specialization::SpecId, uses::Clash};
use crate::{
    infra::{PassContext, PassFailure, Report, Severity},
    types::display::display_list,
};
use melior::ir::Location;
use pyopt_library::Source;
use std::collections::HashSet;

/// How many calls the notes of a diagnostic show.
const MAX_CALLS: usize = 8;

impl<'c> Program<'c, '_> {
    /// A callee without a result type that hasn't been reported yet: the one that the emission came to, before
    /// those that were called for other types before.
    pub fn blame_callee(&mut self, id: SpecId) -> Option<SpecId> {
        self.blamed.push(id);
        let unresolved = self.unresolved.take();
        let callee = unresolved
            .into_iter()
            .chain(0..self.specializations.len())
            .find(|callee| {
                let specialization = &self.specializations[*callee];
                *callee != id
                    && specialization.result.ty.is_none()
                    && specialization.dependents.contains(&id)
                    && !self.blamed.contains(callee)
            })?;
        self.blamed.push(callee);
        Some(callee)
    }

    /// The specialisations without a result type that hold an operation that can't be compiled, or
    /// that wait for the result of such a one.
    pub fn refused(&self) -> HashSet<SpecId> {
        let mut refused = HashSet::new();
        let fails = |id: &SpecId| !self.specializations[*id].flow.failed.is_empty();
        let mut next: Vec<_> = (0..self.specializations.len()).filter(fails).collect();
        while let Some(id) = next.pop() {
            let specialization = &self.specializations[id];
            if specialization.result.is_bottom() && refused.insert(id) {
                next.extend(&specialization.dependents);
            }
        }
        refused
    }

    /// The specialisation of a library function that a function outside of the library called, if
    /// that led to this one.
    fn library_call(&self, mut id: SpecId) -> Option<(SpecId, &'static Source)> {
        let mut found = None;
        while let Some(source) = self.specializations[id].function.library {
            found = Some((id, source));
            match self.specializations[id].caller {
                Some(caller) => id = caller,
                None => break,
            }
        }
        found
    }

    /// Reports a problem in a specialisation, with the chain of calls that led to it. A problem in
    /// the library is reported at the program's call of it.
    pub fn fail(
        &self,
        cx: &PassContext<'c>,
        id: SpecId,
        location: Location<'c>,
        message: &str,
        hint: Option<&str>,
    ) -> PassFailure {
        let (id, mut report) = match self.library_call(id) {
            None => (id, Report::new(Severity::Error, location, message)),
            Some((id, source)) => {
                let call = &self.specializations[id];
                let name = source.public_name();
                let types = display_list(call.arguments.iter().copied());
                let message = format!("no implementation of {name} for ({types}): {message}");
                let report = Report::new(Severity::Error, call.call, message)
                    .note(location, format!("in {name} of the library"));
                (call.caller.unwrap_or(id), report)
            }
        };
        if let Some(hint) = hint {
            report = report.hint(hint);
        }
        let place = report.location();
        let mut clashes = self.clashes.iter().rev();
        let clash = clashes.find(|clash| clash.later.place == place);
        // What is in a function that the container was passed to is shown with the way there first.
        let (here, behind): (Vec<&Clash<'c>>, Vec<_>) = (self.explained.iter().chain(clash))
            .partition(|clash| clash.later.place == clash.later.at);
        report = (here.into_iter()).fold(report, |report, clash| clash.note(report));
        let mut next = Some(id);
        // The chain of calls is finite: each specialisation was requested by an earlier one.
        for _ in 0..MAX_CALLS {
            let Some(specialization) = next.map(|id| &self.specializations[id]) else {
                break;
            };
            next = specialization.caller;
            if next.is_some() {
                report = report.note(
                    specialization.call,
                    format!(
                        "in the call of {}({})",
                        specialization.function.called_name(),
                        display_list(specialization.arguments.iter().copied())
                    ),
                );
            }
        }
        cx.fail((behind.into_iter()).fold(report, |report, clash| clash.note(report)))
    }
}
