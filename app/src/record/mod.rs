//! Records: how they are shown, edited, compared and moved on.
