//! The cards of the agent's tool calls.
