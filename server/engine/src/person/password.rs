//! Passwords as Argon2id keeps them.
