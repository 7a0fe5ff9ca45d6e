//! How a figure looks; these comments are the help text.

use clap::Args;
use dpfda::plotting::FigureSize;

use crate::values::{label, size};

/// Title and size.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Figure")]
pub struct FrameArguments {
    /// The title of the figure
    #[arg(long, value_name = "TEXT", value_parser = label, hide_short_help = true)]
    pub title: Option<String>,
    /// The size of the figure in CSS pixels, 96 to an inch, such as 800x500
    ///
    /// A figure is higher than that where its panels and captions need it, as those of surfaces do.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size, hide_short_help = true)]
    pub size: Option<FigureSize>,
}

/// Title, size and names of the axes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Figure")]
pub struct FigureArguments {
    /// Title and size.
    #[command(flatten)]
    pub frame: FrameArguments,
    /// What the horizontal axis shows, with its unit. The names of the axes are public
    #[arg(long, value_name = "TEXT", value_parser = label, hide_short_help = true)]
    pub x_label: Option<String>,
    /// What the vertical axis shows
    #[arg(long, value_name = "TEXT", value_parser = label, hide_short_help = true)]
    pub y_label: Option<String>,
    /// The unit of the values, such as cm: it stands behind the name of the vertical axis
    #[arg(long, value_name = "TEXT", value_parser = label, hide_short_help = true)]
    pub units: Option<String>,
}
