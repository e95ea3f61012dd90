"""Why a test of CPython's can't pass with object-mode functions, by the end of the test's id."""

_SPECIALISED = (
    "looks at the interpreter's specialised instructions; it doesn't specialise calls of Python "
    "functions while compiled generators exist"
)
_HOOK = "the import hook that compiles the module is on the traced stack"
_TRACED = "a function that sets a trace function isn't traced itself until its next call"
_TYPE = "takes the type of functions from a function that is compiled"
_PAIR = "finds a function by its code, which the compiled function shares with the Python function"

REASONS: dict[str, str] = {
    "test_dis.DisTests.test_loop_quicken": _SPECIALISED,
    "test_dis.DisWithFileTests.test_loop_quicken": _SPECIALISED,
    "test_bdb.StateTestCase.test_skip": _HOOK,
    "test_08_settrace_and_return": _TRACED,
    "test_09_settrace_and_raise": _TRACED,
    "test_settrace_error": _TRACED,
    "test_testcapi_settrace_error": _TRACED,
    "test_types.CoroutineTests.test_async_def": _TYPE,
    "test_types.CoroutineTests.test_genfunc": _TYPE,
    "SpecSignatureTest.test_spec_function_no_name": _TYPE,
    "SpecSignatureTest.test_spec_has_descriptor_returning_function": _TYPE,
    "SpecSignatureTest.test_spec_has_function_not_in_bases": _TYPE,
    "MockTest.test_attach_mock_patch_autospec": _TYPE,
    "MockTest.test_attach_mock_patch_autospec_signature": _TYPE,
    "MockTest.test_parent_propagation_with_autospec_attach_mock": _TYPE,
    "MockTest.test_parent_propagation_with_create_autospec": _TYPE,
    "test_trace.TestCallers.test_loop_caller_importing": _PAIR,
}


def reason(test: str) -> str | None:
    """Why a test can't pass, if that is known."""
    return next((why for end, why in REASONS.items() if test.endswith(end)), None)
