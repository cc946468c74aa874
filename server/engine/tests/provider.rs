//! The remote providers over the real wire, against a scripted server, with every fault that is known of them.

#[path = "provider/answers.rs"]
mod answers;
#[path = "provider/faults.rs"]
mod faults;
#[path = "provider/framing.rs"]
mod framing;
#[path = "provider/harness.rs"]
mod harness;
#[path = "provider/histories.rs"]
mod histories;
#[path = "provider/retries.rs"]
mod retries;
#[path = "provider/silence.rs"]
mod silence;
#[path = "provider/usage.rs"]
mod usage;
