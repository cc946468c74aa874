use leptos::prelude::*;

/// The pictures of the interface, each drawn on a grid of 24 with one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconName {
    Arrow,
    Attach,
    Background,
    Chat,
    Check,
    Chevron,
    Close,
    Copy,
    Download,
    Edit,
    File,
    FullScreen,
    Globe,
    List,
    Menu,
    Moon,
    More,
    Note,
    Plus,
    Search,
    Sun,
    Terminal,
    Todo,
    Undo,
    Warning,
}

impl IconName {
    const fn path(self) -> &'static str {
        match self {
            IconName::Arrow => "M5 12h13M13 6l6 6-6 6",
            IconName::Attach => {
                "M20 11l-8.5 8.5a5 5 0 01-7-7L13 4a3.3 3.3 0 014.7 4.7l-8.5 8.4a1.7 1.7 0 01-2.4-2.4L14 7.5"
            }
            IconName::Background => "M7 18a5 5 0 01-.5-9.9A6 6 0 0118 9a4.5 4.5 0 010 9M12 20v-8M9 15l3-3 3 3",
            IconName::Chat => "M4 5h16v11H9l-5 4z",
            IconName::Check => "M5 12.5l4.5 4.5L19 7.5",
            IconName::Chevron => "M6 9l6 6 6-6",
            IconName::Close => "M6 6l12 12M18 6L6 18",
            IconName::Copy => "M9 9h11v11H9zM15 9V4H4v11h5",
            IconName::Download => "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14",
            IconName::Edit => "M4 20h4L19 9l-4-4L4 16z",
            IconName::File => "M6 3h8l5 5v13H6zM14 3v5h5",
            IconName::FullScreen => "M9 4H4v5M20 9V4h-5M15 20h5v-5M4 15v5h5",
            IconName::Globe => "M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18M12 3a9 9 0 100 18 9 9 0 000-18z",
            IconName::List => "M4 7h10M4 12h7M4 17h10M17 12l2 2 4-4",
            IconName::Menu => "M4 7h16M4 12h16M4 17h16",
            IconName::Moon => "M20 14.5A8.5 8.5 0 019.5 4a8.5 8.5 0 1010.5 10.5z",
            IconName::More => "M5 12h.01M12 12h.01M19 12h.01",
            IconName::Note => "M5 4h14v10l-5 6H5zM14 20v-6h5",
            IconName::Plus => "M12 5v14M5 12h14",
            IconName::Search => "M11 5a6 6 0 100 12 6 6 0 000-12zM15.5 15.5L20 20",
            IconName::Sun => {
                "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4"
            }
            IconName::Terminal => "M4 5h16v14H4zM8 10l3 2.5L8 15M13 15h3",
            IconName::Todo => "M4 6l2 2 3-3M4 14l2 2 3-3M13 7h7M13 15h7",
            IconName::Undo => "M9 7L4 12l5 5M4 12h10a6 6 0 016 6",
            IconName::Warning => "M12 4l9 16H3zM12 10v4M12 17h.01",
        }
    }
}

/// A picture that says nothing to a screen reader: the words stand beside it, or on its button.
#[component]
pub fn Icon(name: IconName) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d=name.path() />
        </svg>
    }
}
