"""What LLVM's remarks mean for the program: by the names that LLVM gives them.

Each is a word for programs, a sentence in which ``{}`` stands for the source at the place of the remark, and
what to do about it.
"""

_EARLY_EXIT = (
    "exit",
    "it may be left before its end, so later elements mustn't be touched before earlier ones are done",
    "what only looks for a place can be split from what is done there; a test whose outcome is kept until "
    "after the loop leaves it whole",
)
_UNKNOWN_COUNT = (
    "count",
    "how often it runs isn't known when it begins",
    "where the number of iterations can be computed before the loop, write it over a range",
)
_CALL = (
    "call",
    "`{}` is a call that has no form for vectors",
    None,
)
_CARRIED = (
    "dependence",
    "each iteration needs what the one before computed: `{}`",
    "a recurrence runs one element after the other: what doesn't depend on it is faster in its own loop",
)
_CONTROL_FLOW = (
    "control-flow",
    "its branches are too involved for vectors",
    "choose values (`x if c else y`, `np.where`) where branches choose what to do",
)
_MEMORY_CHECKS = (
    "aliasing",
    "its arrays might share memory, and to test that for all of them would take too long",
    "arrays that the function makes itself share none with others; loops over fewer arrays need fewer tests",
)
_INVARIANT_STORE = (
    "dependence",
    "all iterations store to the same element: `{}`",
    "add up in a variable, and store it after the loop",
)
_COST = (
    "cost",
    "vectors would not be faster: its elements aren't side by side in memory, or there is too little to do",
    "walk along the last axis of arrays in C order, and along the first of those in Fortran order",
)

#: Why a loop isn't vectorised.
OBSTACLES = {
    "CantReorderFPOps": (
        "order",
        "floats are added in the order of iterations, which decides their rounding: `{}`",
        "fastmath=True, or {'reassoc'}, allows any order; so does the sum of an array expression",
    ),
    "CantReorderMemOps": (
        "dependence",
        "it isn't known that the order of its loads and stores doesn't matter",
        "arrays that the function makes itself are known to share no memory with others",
    ),
    "NonReductionValueUsedOutsideLoop": _CARRIED,
    "UnsupportedPhi": _CARRIED,
    "ValueUsedOutsideLoop": _CARRIED,
    "UnsafeDep": _CARRIED,
    "CantVectorizeStoreToLoopInvariantAddress": _INVARIANT_STORE,
    "CantIdentifyArrayBounds": (
        "aliasing",
        "which elements it touches depends on what it loads, so they may be the same ones: `{}`",
        "write to an array that is read nowhere in the loop, one element for each iteration",
    ),
    "CantCheckMemDepsAtRunTime": _MEMORY_CHECKS,
    "TooManyMemoryRuntimeChecks": _MEMORY_CHECKS,
    "TooManySCEVRunTimeChecks": _MEMORY_CHECKS,
    "CantVectorizeLibcall": _CALL,
    "CantVectorizeIntrinsic": _CALL,
    "CantVectorizeInstruction": _CALL,
    "CantVectorizeInstructionReturnType": _CALL,
    "CantComputeNumberOfIterations": _UNKNOWN_COUNT,
    "UnsupportedUncountableLoop": _UNKNOWN_COUNT,
    "UnknownLatchExitCountEarlyExitLoop": _UNKNOWN_COUNT,
    "UnknownLoopCountComplexCFG": _UNKNOWN_COUNT,
    "NoInductionVariable": _UNKNOWN_COUNT,
    "NoIntegerInductionVariable": _UNKNOWN_COUNT,
    "TooManyUncountableEarlyExits": _EARLY_EXIT,
    "UncountableEarlyExitLoopsDisabled": _EARLY_EXIT,
    "UncountableEarlyExitUnsupported": _EARLY_EXIT,
    "NonReadOnlyEarlyExitLoop": _EARLY_EXIT,
    "PotentiallyFaultingEarlyExitLoop": _EARLY_EXIT,
    "PotentiallyFaultingLoadsNotSupported": _EARLY_EXIT,
    "UnsafeOperationsEarlyExitLoop": _EARLY_EXIT,
    "NoConditionLoadForEarlyExitLoop": _EARLY_EXIT,
    "NoLatchEarlyExit": _EARLY_EXIT,
    "ConditionalUncountableExitLoad": _EARLY_EXIT,
    "EarlyExitNotLatchPredecessor": _EARLY_EXIT,
    "EarlyExitTooManySuccessors": _EARLY_EXIT,
    "EarlyExitLoadInvariantAddress": _EARLY_EXIT,
    "CantVectorizeAliasWithCriticalUncountableExitLoad": _EARLY_EXIT,
    "CantVectorizeUnsafeDependencyForEELoopWithSideEffects": _EARLY_EXIT,
    "EarlyExitLoopWithStridedFaultOnlyFirstLoad": _EARLY_EXIT,
    "CFGNotUnderstood": _CONTROL_FLOW,
    "NoCFGForSelect": _CONTROL_FLOW,
    "LoopContainsUnsupportedSwitch": _CONTROL_FLOW,
    "LoopContainsUnsupportedTerminator": _CONTROL_FLOW,
    "VectorizationNotBeneficial": _COST,
    "LowTripCount": ("cost", "it has too few iterations for vectors", None),
}

#: What says nothing of its own: the reason stands in another remark, or it is about a copy of the loop that
#: runs in exceptional cases.
SILENT = frozenset(
    {
        "MissedDetails",
        "MissedExplicitlyDisabled",
        "MissedForceOnly",
        "AllDisabled",
        "NotInnerMostLoop",
        "UnsupportedOuterLoop",
        "InterleavingNotBeneficial",
        "InterleavingNotBeneficialAndDisabled",
        "InterleavingBeneficialButDisabled",
        "InterleavingAvoided",
        "InterleavingUnsafe",
        "ScalableVectorizationDisabled",
        "ScalableVFUnfeasible",
        "VectorizationCodeSize",
        "VectorizationDead",
    }
)

#: What our passes did, by their names: words for programs.
PASSES = {
    "parfor-version-overlaps": "compared",
    "typed-interchange-loops": "interchanged",
    "typed-tile-loops": "tiled",
    "typed-strip-reductions": "strips",
    "typed-unroll-and-jam": "jammed",
    "typed-hoist-checks": "checks-hoisted",
    "typed-version-wraparound": "versioned",
    "typed-promote-accumulators": "promoted",
    "typed-reduce-remainders": "remainders",
    "typed-narrow-integers": "narrowed",
    "typed-hoist-allocations": "allocation-hoisted",
}
