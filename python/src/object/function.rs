//! The type of compiled functions: a subtype of Python's own, so that whatever knows functions
//! knows these.

use std::ffi::{CStr, c_int, c_void};
use std::mem::offset_of;
use std::ptr;
use std::rc::Rc;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject, PyTypeObject, visitproc};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::call::vectorcall;
use super::check;
use super::code::{Compiled, ensure, inspect};
use super::layout_311::FunctionObject;
use super::runtime;
use crate::compiler::View;
use crate::dispatcher::guard;
use pyopt_runtime::engine::Tier;

/// A compiled function.
#[repr(C)]
pub struct Function {
    /// What every Python function has.
    pub base: FunctionObject,
    /// The code, once it is compiled: one count of an [`Rc`].
    pub compiled: *const Compiled,
    /// The Python function it was made from.
    original: *mut PyObject,
}

/// The type object. Python fills it in when the extension is loaded and it stays for ever.
static mut TYPE: PyTypeObject = PyTypeObject {
    // The name that messages of CPython have: nothing shall look different.
    tp_name: c"function".as_ptr(),
    tp_basicsize: size_of::<Function>() as ffi::Py_ssize_t,
    ..NO_TYPE
};

/// A type object without anything.
// SAFETY: all fields are numbers, pointers and optional functions, for which zero is a value.
const NO_TYPE: PyTypeObject = unsafe { std::mem::zeroed() };

fn type_object() -> *mut PyTypeObject {
    &raw mut TYPE
}

/// Whether an object is a compiled function.
///
/// # Safety
/// The object is live.
pub unsafe fn is_compiled(object: *mut PyObject) -> bool {
    // SAFETY: the caller's promise.
    unsafe { ffi::Py_TYPE(object) == type_object() }
}

/// Makes the type ready and adds it to the extension module.
pub fn load(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let member = |name: &'static CStr, offset: usize, type_code, flags| ffi::PyMemberDef {
        name: name.as_ptr(),
        type_code,
        offset: offset as ffi::Py_ssize_t,
        flags,
        doc: ptr::null(),
    };
    let object = ffi::Py_T_OBJECT_EX;
    // The member of functions is of this type too, which gives None for one that was deleted.
    #[allow(deprecated)]
    let optional = ffi::_Py_T_OBJECT;
    // Python keeps pointers into these, so they are never freed.
    let members = Box::leak(Box::new([
        member(
            c"py_func",
            offset_of!(Function, original),
            object,
            ffi::Py_READONLY,
        ),
        // The type would have one of its own, which hides that of functions.
        member(
            c"__doc__",
            offset_of!(Function, base.documentation),
            optional,
            0,
        ),
        ffi::PyMemberDef::default(),
    ]));
    let method = |name: &'static CStr, function, flags, doc: &'static CStr| ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunction: function,
        },
        ml_flags: flags,
        ml_doc: doc.as_ptr(),
    };
    let methods = Box::leak(Box::new([
        method(
            c"__reduce__",
            reduce,
            ffi::METH_NOARGS,
            c"Pickle by reference, as functions are.",
        ),
        method(
            c"__set_name__",
            set_name,
            ffi::METH_VARARGS,
            c"Become the kind of method that `type` makes of a function of that name.",
        ),
        method(
            c"compile",
            compile,
            ffi::METH_VARARGS,
            c"Compile now, not at the first call; for any signature. Returns what can be called.",
        ),
        method(
            c"inspect_ir",
            inspect_ir,
            ffi::METH_O,
            c"Return the module as it is after the pass of that name.",
        ),
        method(
            c"inspect_llvm",
            inspect_llvm,
            ffi::METH_NOARGS,
            c"Return the LLVM IR.",
        ),
        method(
            c"inspect_asm",
            inspect_asm,
            ffi::METH_NOARGS,
            c"Return the assembly.",
        ),
        ffi::PyMethodDef::zeroed(),
    ]));
    let properties = Box::leak(Box::new([
        ffi::PyGetSetDef {
            name: c"__class__".as_ptr(),
            get: Some(class),
            set: Some(set_class),
            doc: c"the type of functions".as_ptr(),
            closure: ptr::null_mut(),
        },
        described(c"disable_compile", c"does nothing: there is one signature"),
        described(c"enable_caching", c"warns that nothing is kept on disk"),
        described(c"get_compile_result", c"what it is compiled to"),
        described(c"get_metadata", c"what is known of the compilation"),
        described(c"get_overload", c"what can be called"),
        described(c"inspect_cfg", c"the control flow graph"),
        described(c"inspect_types", c"prints the function as it is compiled"),
        described(c"is_compiling", c"whether it is being compiled"),
        described(c"nopython_signatures", c"none: its values are objects"),
        described(c"overloads", c"what it is compiled to, under Numba's name"),
        described(
            c"recompile",
            c"does nothing: names are looked up when it runs",
        ),
        described(
            c"signatures",
            c"the types of arguments that it is compiled for",
        ),
        described(c"stats", c"how often it was compiled"),
        described(c"targetoptions", c"its options"),
        ffi::PyGetSetDef::default(),
    ]));
    // SAFETY: the GIL is held and nobody has the type yet.
    unsafe {
        let ty = &mut *type_object();
        if ty.tp_dict.is_null() {
            ty.ob_base.ob_base.ob_refcnt = 1;
            ty.tp_base = &raw mut ffi::PyFunction_Type;
            ty.tp_flags = ffi::Py_TPFLAGS_DEFAULT
                | ffi::Py_TPFLAGS_HAVE_GC
                | ffi::Py_TPFLAGS_HAVE_VECTORCALL
                | ffi::Py_TPFLAGS_METHOD_DESCRIPTOR;
            ty.tp_dealloc = Some(dealloc);
            ty.tp_traverse = Some(traverse);
            ty.tp_clear = Some(clear);
            ty.tp_members = members.as_mut_ptr();
            ty.tp_methods = methods.as_mut_ptr();
            ty.tp_getset = properties.as_mut_ptr();
            ty.tp_weaklistoffset = ffi::PyFunction_Type.tp_weaklistoffset;
            ty.tp_dictoffset = ffi::PyFunction_Type.tp_dictoffset;
            ty.tp_descr_get = ffi::PyFunction_Type.tp_descr_get;
            ty.tp_repr = ffi::PyFunction_Type.tp_repr;
            ty.tp_call = Some(ffi::PyVectorcall_Call);
            ty.tp_vectorcall_offset = ffi::PyFunction_Type.tp_vectorcall_offset;
            if ffi::PyType_Ready(ty) != 0 {
                return Err(PyErr::fetch(module.py()));
            }
            runtime::register();
        }
        let ty = Bound::from_borrowed_ptr(module.py(), type_object().cast());
        module.add("ObjectModeFunction", ty)
    }
}

/// An attribute that Python code gives, by its name.
fn described(name: &'static CStr, doc: &'static CStr) -> ffi::PyGetSetDef {
    ffi::PyGetSetDef {
        name: name.as_ptr(),
        get: Some(describe),
        set: None,
        doc: doc.as_ptr(),
        closure: name.as_ptr().cast_mut().cast(),
    }
}

/// # Safety
/// The GIL is held, `object` is alive, and `name` is the name of an attribute as C has it.
unsafe extern "C" fn describe(object: *mut PyObject, name: *mut c_void) -> *mut PyObject {
    // SAFETY: the caller's promise.
    let (py, object, name) = unsafe {
        let py = Python::assume_attached();
        let name = CStr::from_ptr(name.cast()).to_string_lossy();
        (py, Bound::from_borrowed_ptr(py, object), name)
    };
    let found = py.import("pyopt.object_mode_members").and_then(|module| {
        module
            .getattr("of_object_mode")?
            .call1((object, name.as_ref()))
    });
    match found {
        Ok(found) => found.into_ptr(),
        Err(error) => {
            error.restore(py);
            ptr::null_mut()
        }
    }
}

/// Makes a compiled function of a Python function; its code is compiled at the first call.
#[pyfunction]
pub fn make_function<'py>(original: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = original.py();
    check::check_layout(py)?;
    // SAFETY: the type of the original is checked before it is read as a function; the new
    // object comes zeroed, and each field gets a reference of its own.
    unsafe {
        if ffi::Py_TYPE(original.as_ptr()) != &raw mut ffi::PyFunction_Type {
            return Err(PyTypeError::new_err("expected a Python function"));
        }
        let made = ffi::PyType_GenericAlloc(type_object(), 0);
        let made = Bound::from_owned_ptr_or_err(py, made)?;
        let source = &*original.as_ptr().cast::<FunctionObject>();
        let target = &mut *made.as_ptr().cast::<Function>();
        let take = |object: *mut PyObject| {
            ffi::Py_XINCREF(object);
            object
        };
        let base = &mut target.base;
        base.globals = take(source.globals);
        base.builtins = take(source.builtins);
        base.name = take(source.name);
        base.qualified_name = take(source.qualified_name);
        base.code = take(source.code.cast()).cast();
        base.defaults = take(source.defaults);
        base.keyword_defaults = take(source.keyword_defaults);
        base.closure = take(source.closure);
        base.documentation = take(source.documentation);
        base.module = take(source.module);
        base.annotations = take(source.annotations);
        base.vectorcall = Some(vectorcall);
        if !source.dict.is_null() {
            base.dict = ffi::PyDict_Copy(source.dict);
            if base.dict.is_null() {
                return Err(PyErr::fetch(py));
            }
        }
        target.original = original.clone().into_ptr();
        Ok(made)
    }
}

unsafe extern "C" fn reduce(this: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this with an instance.
    unsafe { ffi::Py_NewRef((*this.cast::<Function>()).base.qualified_name) }
}

/// `__class__`, for whoever asks `f.__class__ is FunctionType`.
unsafe extern "C" fn class(_: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: the type of functions is there for ever.
    unsafe { ffi::Py_NewRef((&raw mut ffi::PyFunction_Type).cast()) }
}

unsafe extern "C" fn set_class(_: *mut PyObject, _: *mut PyObject, _: *mut c_void) -> c_int {
    // SAFETY: Python calls this with the GIL.
    let py = unsafe { Python::assume_attached() };
    PyTypeError::new_err(
        "__class__ assignment only supported for mutable types or ModuleType subclasses",
    )
    .restore(py);
    -1
}

/// `type` makes static and class methods of some functions, but only of those of the base type.
unsafe extern "C" fn set_name(this: *mut PyObject, arguments: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this with an instance, a tuple and the GIL.
    let (py, this, arguments) = unsafe {
        let py = Python::assume_attached();
        let borrow = |object| Bound::from_borrowed_ptr(py, object);
        (py, borrow(this), borrow(arguments))
    };
    guard(py, || match wrap_method(&this, &arguments) {
        Ok(()) => py.None().into_ptr(),
        Err(error) => {
            error.restore(py);
            ptr::null_mut()
        }
    })
}

fn wrap_method(function: &Bound<'_, PyAny>, arguments: &Bound<'_, PyAny>) -> PyResult<()> {
    let (owner, name): (Bound<'_, PyAny>, Bound<'_, PyString>) = arguments.extract()?;
    let wrapper = match name.to_str()? {
        "__new__" => "staticmethod",
        "__init_subclass__" | "__class_getitem__" => "classmethod",
        _ => return Ok(()),
    };
    let wrapper = function.py().import("builtins")?.getattr(wrapper)?;
    owner.setattr(name, wrapper.call1((function,))?)
}

/// The result of a method that may raise.
fn answer(py: Python<'_>, text: impl FnOnce() -> PyResult<String>) -> *mut PyObject {
    guard(py, || match text() {
        Ok(text) => PyString::new(py, &text).into_any().into_ptr(),
        Err(error) => {
            error.restore(py);
            ptr::null_mut()
        }
    })
}

unsafe extern "C" fn compile(this: *mut PyObject, args: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this with a live compiled function, a tuple and the GIL.
    unsafe {
        let py = Python::assume_attached();
        if ffi::PyTuple_GET_SIZE(args) > 1 {
            PyTypeError::new_err("compile() takes at most one signature").restore(py);
            return ptr::null_mut();
        }
        guard(py, || match ensure(py, this.cast()) {
            Ok(_) => ffi::Py_NewRef(this),
            Err(error) => {
                error.restore(py);
                ptr::null_mut()
            }
        })
    }
}

unsafe extern "C" fn inspect_ir(this: *mut PyObject, stage: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this with live objects and the GIL.
    let (py, this, stage) = unsafe {
        let py = Python::assume_attached();
        let borrow = |object| Bound::from_borrowed_ptr(py, object);
        (py, borrow(this), borrow(stage))
    };
    answer(py, || inspect(&this, &View::Ir(stage.extract()?)))
}

unsafe extern "C" fn inspect_llvm(this: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `inspect_ir`.
    let (py, this) = unsafe {
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, this))
    };
    answer(py, || inspect(&this, &View::Llvm(Tier::None)))
}

unsafe extern "C" fn inspect_asm(this: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `inspect_ir`.
    let (py, this) = unsafe {
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, this))
    };
    answer(py, || inspect(&this, &View::Asm(Tier::None)))
}

unsafe extern "C" fn traverse(this: *mut PyObject, visit: visitproc, arg: *mut c_void) -> c_int {
    // SAFETY: the garbage collector calls this with an instance.
    unsafe {
        let function = &*this.cast::<Function>();
        if !function.original.is_null() {
            let status = visit(function.original, arg);
            if status != 0 {
                return status;
            }
        }
        match ffi::PyFunction_Type.tp_traverse {
            Some(base) => base(this, visit, arg),
            None => 0,
        }
    }
}

unsafe extern "C" fn clear(this: *mut PyObject) -> c_int {
    // SAFETY: the garbage collector or `dealloc` calls this; the field is emptied before the
    // reference goes. The compiled code stays as long as it may run.
    unsafe {
        let function = &mut *this.cast::<Function>();
        ffi::Py_XDECREF(std::mem::replace(&mut function.original, ptr::null_mut()));
        match ffi::PyFunction_Type.tp_clear {
            Some(base) => base(this),
            None => 0,
        }
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: Python calls this once, when nobody refers to the function and no frame runs it.
    // The own fields go while the collector doesn't see the object; the base's deallocator expects
    // that it does.
    unsafe {
        ffi::PyObject_GC_UnTrack(this.cast());
        let function = &mut *this.cast::<Function>();
        ffi::Py_XDECREF(std::mem::replace(&mut function.original, ptr::null_mut()));
        let compiled = std::mem::replace(&mut function.compiled, ptr::null());
        ffi::PyObject_GC_Track(this.cast());
        if let Some(base) = ffi::PyFunction_Type.tp_dealloc {
            base(this);
        }
        if !compiled.is_null() {
            drop(Rc::from_raw(compiled));
        }
    }
}
