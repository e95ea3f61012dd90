//! Calls. Each kind of callable that is frequent has a short way of its own.

use std::ffi::CStr;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi::{self, PyObject};

use crate::object::call::{Arguments, enter_compiled, enter_interpreted, release_arguments};
use crate::object::evaluate::enter;
use crate::object::function::is_compiled;
use crate::object::layout_311::Thread;
use crate::object::layout_311::attributes::{BoundMethod, method};

unsafe extern "C" {
    fn _PyObject_MakeTpCall(
        thread: *mut ffi::PyThreadState,
        callable: *mut PyObject,
        args: *const *mut PyObject,
        count: ffi::Py_ssize_t,
        names: *mut PyObject,
    ) -> *mut PyObject;
    fn _Py_CheckFunctionResult(
        thread: *mut ffi::PyThreadState,
        callable: *mut PyObject,
        result: *mut PyObject,
        place: *const std::ffi::c_char,
    ) -> *mut PyObject;
}

/// Calls an object; takes the references of it and its arguments over. There are two words in front
/// of the arguments for what callees prepend. Keyword arguments are the last of the arguments.
pub unsafe extern "C" fn call(
    thread: *mut Thread,
    callable: *mut PyObject,
    args: *mut *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let ty = ffi::Py_TYPE(callable);
        if ty == &raw mut ffi::PyCFunction_Type && names.is_null() {
            return call_builtin(thread, callable, args, count);
        }
        if let Some(method) = BoundMethod::of(callable) {
            let callable = ffi::Py_NewRef((*method).function);
            let args = args.sub(1);
            *args = ffi::Py_NewRef((*method).this);
            ffi::Py_DECREF(method.cast());
            return call_function(thread, callable, args, count + 1, names);
        }
        call_function(thread, callable, args, count, names)
    }
}

/// Calls what `load_method` found, as [`call`] does.
pub unsafe extern "C" fn call_method(
    thread: *mut Thread,
    callable: *mut PyObject,
    this: *mut PyObject,
    args: *mut *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module; there is one more word than the object needs.
    unsafe {
        if this.is_null() {
            return call(thread, callable, args, count, names);
        }
        let args = args.sub(1);
        *args = this;
        if ffi::Py_TYPE(callable) == &raw mut ffi::PyMethodDescr_Type && names.is_null() {
            return call_builtin_method(thread, callable, args, count + 1);
        }
        call_function(thread, callable, args, count + 1, names)
    }
}

/// Calls a Python function, or an object of any other type. There is a word in front of the
/// arguments that callees may use.
unsafe fn call_function(
    thread: *mut Thread,
    callable: *mut PyObject,
    args: *mut *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let named = match names.is_null() {
            true => 0,
            false => ffi::PyTuple_GET_SIZE(names) as usize,
        };
        let arguments = Arguments {
            values: args,
            count: count - named,
            names,
        };
        let mut result = ptr::null_mut();
        let entered = if is_compiled(callable) {
            enter_compiled::<true>(thread, callable, arguments, &mut result)
        } else if ffi::Py_TYPE(callable) == &raw mut ffi::PyFunction_Type {
            enter_interpreted(thread, callable, arguments, &mut result)
        } else {
            false
        };
        if entered {
            return result;
        }
        call_any(thread, callable, arguments)
    }
}

/// Calls an object as its type says.
unsafe fn call_any(
    thread: *mut Thread,
    callable: *mut PyObject,
    arguments: Arguments,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let Arguments {
            values,
            count,
            names,
        } = arguments;
        let ty = ffi::Py_TYPE(callable);
        let converted = match ty == &raw mut ffi::PyType_Type && count == 1 && names.is_null() {
            true => convert(callable, *values),
            false => None,
        };
        let vectorcall = match (*ty).tp_flags & ffi::Py_TPFLAGS_HAVE_VECTORCALL {
            0 => None,
            _ => *callable
                .byte_offset((*ty).tp_vectorcall_offset)
                .cast::<Option<ffi::vectorcallfunc>>(),
        };
        let result = match (converted, vectorcall) {
            (Some(result), _) => result,
            (None, Some(vectorcall)) => {
                let flags = count | ffi::PY_VECTORCALL_ARGUMENTS_OFFSET;
                let result = vectorcall(callable, values, flags, names);
                checked(thread, callable, result)
            }
            (None, None) => {
                _PyObject_MakeTpCall(thread.cast(), callable, values, count as isize, names)
            }
        };
        release_arguments(callable, arguments);
        result
    }
}

/// What a type makes that only converts its single argument: none for other types.
unsafe fn convert(ty: *mut PyObject, argument: *mut PyObject) -> Option<*mut PyObject> {
    // SAFETY: the conventions of the module.
    unsafe {
        if ty == (&raw mut ffi::PyUnicode_Type).cast() {
            Some(ffi::PyObject_Str(argument))
        } else if ty == (&raw mut ffi::PyType_Type).cast() {
            Some(ffi::Py_NewRef(ffi::Py_TYPE(argument).cast()))
        } else if ty == (&raw mut ffi::PyTuple_Type).cast() {
            Some(ffi::PySequence_Tuple(argument))
        } else {
            None
        }
    }
}

/// The result of a call, if it is one with the exception that is set, or without.
#[inline]
unsafe fn checked(
    thread: *mut Thread,
    callable: *mut PyObject,
    result: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        match result.is_null() == (*thread).raised[0].is_null() {
            true => _Py_CheckFunctionResult(thread.cast(), callable, result, ptr::null()),
            false => result,
        }
    }
}

/// Calls a builtin function.
unsafe fn call_builtin(
    thread: *mut Thread,
    callable: *mut PyObject,
    args: *mut *mut PyObject,
    count: usize,
) -> *mut PyObject {
    // SAFETY: as `call`; the caller has compared the type.
    unsafe {
        let function = callable.cast::<ffi::PyCFunctionObject>();
        let method = (*function).m_ml;
        let this = match (*method).ml_flags & ffi::METH_STATIC {
            0 => (*function).m_self,
            _ => ptr::null_mut(),
        };
        let called = call_c(thread, method, this, args, count);
        finish_c(thread, callable, args, count, called)
    }
}

/// Calls a method of a builtin type; the first argument is the object.
unsafe fn call_builtin_method(
    thread: *mut Thread,
    callable: *mut PyObject,
    args: *mut *mut PyObject,
    count: usize,
) -> *mut PyObject {
    // SAFETY: as `call`; the caller has compared the type, and there is an object.
    unsafe {
        let (class, method) = method(callable);
        let this = *args;
        if count == 2 && method == list_append() && ffi::PyList_CheckExact(this) != 0 {
            return append(callable, this, *args.add(1));
        }
        let fits = ffi::Py_TYPE(this) == class || ffi::PyObject_TypeCheck(this, class) != 0;
        let called = match fits {
            true => call_c(thread, method, this, args.add(1), count - 1),
            false => None,
        };
        finish_c(thread, callable, args, count, called)
    }
}

/// The definition of `list.append`; a method of a builtin type never gets another.
#[inline]
unsafe fn list_append() -> *mut ffi::PyMethodDef {
    static FOUND: AtomicPtr<ffi::PyMethodDef> = AtomicPtr::new(ptr::null_mut());
    #[cold]
    unsafe fn find() -> *mut ffi::PyMethodDef {
        // SAFETY: the type ends its methods with one without a name.
        unsafe {
            let mut method = ffi::PyList_Type.tp_methods;
            while CStr::from_ptr((*method).ml_name) != c"append" {
                method = method.add(1);
            }
            FOUND.store(method, Ordering::Relaxed);
            method
        }
    }
    let found = FOUND.load(Ordering::Relaxed);
    match found.is_null() {
        // SAFETY: the type lives as long as the interpreter, and has the method.
        true => unsafe { find() },
        false => found,
    }
}

/// `list.append(item)`; takes all references over.
unsafe fn append(
    callable: *mut PyObject,
    list: *mut PyObject,
    item: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `call`; what is behind the items has no reference yet.
    unsafe {
        let inner = list.cast::<ffi::PyListObject>();
        let size = ffi::Py_SIZE(list);
        let status = if size < (*inner).allocated {
            *(*inner).ob_item.offset(size) = item;
            (*inner).ob_base.ob_size = size + 1;
            0
        } else {
            let status = ffi::PyList_Append(list, item);
            ffi::Py_DECREF(item);
            status
        };
        ffi::Py_DECREF(callable);
        ffi::Py_DECREF(list);
        match status {
            0 => ffi::Py_NewRef(ffi::Py_None()),
            _ => ptr::null_mut(),
        }
    }
}

/// Ends a call of a C function with its result, or does it in the general way where there is none.
#[inline]
unsafe fn finish_c(
    thread: *mut Thread,
    callable: *mut PyObject,
    args: *mut *mut PyObject,
    count: usize,
    called: Option<*mut PyObject>,
) -> *mut PyObject {
    // SAFETY: as `call`; the caller has the references.
    unsafe {
        let names = ptr::null_mut();
        let Some(result) = called else {
            return call_function(thread, callable, args, count, names);
        };
        let result = checked(thread, callable, result);
        let arguments = Arguments {
            values: args,
            count,
            names,
        };
        release_arguments(callable, arguments);
        result
    }
}

/// Calls a C function if it has a simple signature that the arguments fit: none otherwise.
#[inline]
unsafe fn call_c(
    thread: *mut Thread,
    method: *mut ffi::PyMethodDef,
    this: *mut PyObject,
    args: *mut *mut PyObject,
    count: usize,
) -> Option<*mut PyObject> {
    const KINDS: i32 = ffi::METH_VARARGS
        | ffi::METH_KEYWORDS
        | ffi::METH_NOARGS
        | ffi::METH_O
        | ffi::METH_FASTCALL
        | ffi::METH_METHOD;
    const WITH_NAMES: i32 = ffi::METH_FASTCALL | ffi::METH_KEYWORDS;
    // SAFETY: as `call`; the flags say what the function's type is.
    unsafe {
        let function = (*method).ml_meth;
        let size = count as ffi::Py_ssize_t;
        let argument = match (*method).ml_flags & KINDS {
            ffi::METH_O if count == 1 => *args,
            ffi::METH_NOARGS if count == 0 => ptr::null_mut(),
            ffi::METH_FASTCALL => return Some((function.PyCFunctionFast)(this, args, size)),
            WITH_NAMES => {
                let call = function.PyCFunctionFastWithKeywords;
                return Some(call(this, args, size, ptr::null_mut()));
            }
            _ => return None,
        };
        if !enter(thread) {
            return Some(ptr::null_mut());
        }
        let result = (function.PyCFunction)(this, argument);
        (*thread).recursion_remaining += 1;
        Some(result)
    }
}
