//! Symbols for C functions that the program has found itself.
//!
//! Such a function is known by its address, which differs from process to process. Its place in the file
//! that it was loaded from doesn't: a symbol that is made of that means one function in a process, and the
//! same one in another that has loaded the same file. Code refers to the symbol, so it can be kept on disk;
//! the process that loads it says where the function is, as it has found it itself.

use std::{
    collections::HashMap,
    ffi::{CStr, CString, c_void},
    mem::MaybeUninit,
};

use crate::{fork::Table, symbols};

/// The symbols that were made, each with the address that it stands for as long as the process lives.
static KNOWN: Table<HashMap<String, usize>> = Table::new();

/// The symbol of the function at an address, by which loaded code finds it from now on. The name in it is
/// for people. `None` for a function that is in no file, such as what `ctypes` makes of Python's functions,
/// and for one whose symbol stands for another address: of a file that was loaded twice, or of two that
/// were loaded by the same relative path.
pub fn symbol(name: &str, address: usize) -> Option<String> {
    let (file, offset) = place(address)?;
    let hash = blake3::hash(&[file.to_bytes(), &offset.to_le_bytes()].concat()).to_hex();
    let name: String = (name.chars())
        .filter(|char| char.is_ascii_alphanumeric() || *char == '_')
        .collect();
    let symbol = format!("c.{name}.{}", &hash[..32]);
    let mut known = KNOWN.lock();
    match known.get(&symbol) {
        Some(stands_for) => (*stands_for == address).then_some(symbol),
        None => {
            let registered = CString::new(symbol.clone()).ok()?.into_boxed_c_str();
            symbols::register([(&*Box::leak(registered), address)]);
            known.insert(symbol.clone(), address);
            Some(symbol)
        }
    }
}

/// The file that an address was loaded from, and where it is in there.
fn place(address: usize) -> Option<(CString, usize)> {
    let mut found = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: any address may be asked for. The record is filled where the result isn't zero; the name in it
    // stays as long as the file is loaded, and whoever asks has a function of it.
    unsafe {
        if libc::dladdr(address as *const c_void, found.as_mut_ptr()) == 0 {
            return None;
        }
        let found = found.assume_init();
        if found.dli_fname.is_null() {
            return None;
        }
        let file = CStr::from_ptr(found.dli_fname).to_owned();
        let offset = address.checked_sub(found.dli_fbase as usize)?;
        (!file.is_empty()).then_some((file, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_stands_for_one_function() {
        let address = |name| symbols::address(name).unwrap().as_ptr() as usize;
        let (cos, sin) = (address(c"cos"), address(c"sin"));
        let made = symbol("cos", cos).unwrap();
        assert_eq!(symbol("cos", cos).as_ref(), Some(&made));
        assert_ne!(symbol("cos", sin).unwrap(), made);
        let name = CString::new(made).unwrap();
        assert_eq!(address(&name), cos);
    }

    #[test]
    fn what_is_in_no_file_has_no_symbol() {
        let memory = Box::new(0_u64);
        assert_eq!(symbol("f", std::ptr::from_ref(&*memory) as usize), None);
    }
}
