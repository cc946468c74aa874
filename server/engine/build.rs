//! A new or changed migration builds the engine anew: its checked SQL and the migrations inside it depend on them.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
