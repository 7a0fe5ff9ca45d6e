#' Draw a release
#'
#' The estimate in its band. A release with noise from a seed has a stamp that says so. `lines()` adds the curves of a release to a plot
#' that there is: of a mean, of groups, of centiles, or the steps of a density.
#'
#' @param x,object A release.
#' @param ... For `plot()`: more for the first call of [graphics::plot()], such as `ylim`; for `lines()` more for [graphics::lines()], such
#'   as `col`.
#' @return `plot()` and `lines()` give the release back, invisibly; `autoplot()` a plot of ggplot2.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' mean <- dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' plot(mean)
#' lines(dp_mean(curves[1:200, ], bounds = c(0, 1), epsilon = 1, delta = 1e-5), col = "red")
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(mean)
#' @export
plot.dpfda_release <- function(x, ...) {
  if (!nrow(x$table)) refuse("the release has nothing to draw: its facts say why", "x")
  switch(shape(x),
    surface = plot_cells(x, x$table$s, x$table$t, x$table$value, "s", "t"),
    density = plot_steps(x, ...),
    cells = plot_cells(x, mid(x, 1), mid(x, 2), x$table$density, axes(x)[1], axes(x)[2]),
    panels = plot_panels(x, ...),
    curves = plot_curves(x, x$table, x$title, ...),
    centiles = plot_curves(x, centiles_of(x), x$title, ...),
    refuse("a release of this kind is told by as.data.frame()", "x")
  )
  graphics::mtext(stamp(x), side = 3, line = 0.2, col = colours[2], cex = 0.8)
  invisible(x)
}

#' @rdname plot.dpfda_release
#' @importFrom graphics lines
#' @export
lines.dpfda_release <- function(x, ...) {
  if (!nrow(x$table)) refuse("the release has nothing to draw: its facts say why", "x")
  line <- function(one) graphics::lines(one$t, one$value, ...)
  switch(shape(x),
    density = graphics::lines(steps_of(x), type = "s", ...),
    curves = lapply(curves_of(x$table), line),
    centiles = lapply(curves_of(centiles_of(x)), line),
    refuse("a release of this kind has no curve to add to a plot: plot() draws it", "x")
  )
  invisible(x)
}

# What a release looks like.
shape <- function(x) {
  columns <- names(x$table)
  if (all(c("s", "t") %in% columns)) return("surface")
  if ("density" %in% columns) return(c("density", "cells", "none")[(ncol(x$table) - 1) / 2])
  if ("coefficient" %in% columns) return("panels")
  if (x$kind == "centiles") return("centiles")
  if ("t" %in% columns) "curves" else "none"
}

axes <- function(x) sub("^lower_", "", grep("^lower_", names(x$table), value = TRUE))
mid <- function(x, axis) (x$table[[axis]] + x$table[[axis + length(axes(x))]]) / 2
label <- function(x, axis) if (is.null(x$labels[[axis]])) axis else x$labels[[axis]]

# The names of curves, and a colour for each that is told apart in grey as well.
curves_of <- function(table) if (is.character(table[[1]])) split(table, factor(table[[1]], unique(table[[1]]))) else list(table)
colours <- c("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555", "#882255")

plot_curves <- function(x, table, main, ylim = range(table$lower, table$upper), ...) {
  curves <- curves_of(table)
  graphics::plot(range(table$t), ylim, type = "n", xlab = label(x, "t"), ylab = label(x, "value"), main = main, ylim = ylim, ...)
  for (at in seq_along(curves)) {
    one <- curves[[at]]
    colour <- colours[(at - 1) %% length(colours) + 1]
    graphics::polygon(c(one$t, rev(one$t)), c(one$lower, rev(one$upper)), col = grDevices::adjustcolor(colour, 0.2), border = NA)
    graphics::lines(one$t, one$value, col = colour, lty = (at - 1) %% 6 + 1, lwd = 2)
  }
  if (length(curves) > 1) {
    at <- seq_along(curves) - 1
    graphics::legend("topright", names(curves), col = colours[at %% length(colours) + 1], lty = at %% 6 + 1, lwd = 2, bty = "n")
  }
}

plot_panels <- function(x, ...) {
  curves <- curves_of(x$table)
  old <- graphics::par(mfrow = rev(grDevices::n2mfrow(length(curves))), mar = c(4, 4, 3, 1))
  on.exit(graphics::par(old))
  for (name in names(curves)) {
    plot_curves(x, curves[[name]][-1], name, ...)
    graphics::abline(h = 0, col = "grey60", lty = 3)
  }
}

plot_cells <- function(x, first, second, value, xlab, ylab) {
  across <- sort(unique(first))
  up <- sort(unique(second))
  z <- matrix(NA_real_, length(across), length(up))
  z[cbind(match(first, across), match(second, up))] <- value
  graphics::image(across, up, z, col = grDevices::hcl.colors(64, "viridis"), main = x$title, xlab = label(x, xlab), ylab = label(x, ylab))
  if (shape(x) == "surface" && diff(range(value)) > 0) graphics::contour(across, up, z, add = TRUE)
}

plot_steps <- function(x, ...) {
  graphics::plot(steps_of(x), type = "s", xlab = axes(x), ylab = "density", main = x$title, lwd = 2, col = colours[1], ...)
}

# The ends of cells and the density from each on.
steps_of <- function(x) list(x = c(x$table[[1]], x$table[[2]][nrow(x$table)]), y = c(x$table$density, 0))

#' @rdname plot.dpfda_release
#' @exportS3Method ggplot2::autoplot
autoplot.dpfda_release <- function(object, ...) {
  if (!nrow(object$table)) refuse("the release has nothing to draw: its facts say why", "object")
  table <- object$table
  aes <- function(...) ggplot2::aes(...)
  of <- function(name) as.name(name)
  named <- ggplot2::labs(title = object$title, caption = stamp(object))
  switch(shape(object),
    surface = ggplot2::ggplot(table, aes(!!of("s"), !!of("t"), fill = !!of("value"))) +
      ggplot2::geom_raster() + ggplot2::scale_fill_viridis_c() +
      named + ggplot2::labs(x = label(object, "s"), y = label(object, "t"), fill = label(object, "value")),
    density = ggplot2::ggplot(table, aes(xmin = !!of(names(table)[1]), xmax = !!of(names(table)[2]), ymin = 0, ymax = !!of("density"))) +
      ggplot2::geom_rect(fill = colours[1], alpha = 0.6) + named + ggplot2::labs(x = axes(object), y = "density"),
    cells = ggplot2::ggplot(table, aes(
      xmin = !!of(names(table)[1]), ymin = !!of(names(table)[2]), xmax = !!of(names(table)[3]), ymax = !!of(names(table)[4]),
      fill = !!of("density")
    )) + ggplot2::geom_rect() + ggplot2::scale_fill_viridis_c() + named + ggplot2::labs(x = axes(object)[1], y = axes(object)[2]),
    panels = drawn(table) + ggplot2::facet_wrap(ggplot2::vars(!!of("coefficient")), scales = "free_y") + named,
    curves = (if ("group" %in% names(table)) drawn(table, "group") else drawn(table)) + named + labelled(object),
    centiles = drawn(centiles_of(object), "centile") + named + labelled(object),
    refuse("a release of this kind is told by as.data.frame()", "object")
  )
}

labelled <- function(object) ggplot2::labs(x = label(object, "t"), y = label(object, "value"))

# Curves in their bands.
drawn <- function(table, group = NULL) {
  colour <- if (is.null(group)) ggplot2::aes() else ggplot2::aes(colour = !!as.name(group), fill = !!as.name(group))
  plot <- ggplot2::ggplot(table, utils::modifyList(ggplot2::aes(x = !!as.name("t"), y = !!as.name("value")), colour))
  plot + ggplot2::geom_ribbon(ggplot2::aes(ymin = !!as.name("lower"), ymax = !!as.name("upper")), alpha = 0.2, colour = NA) +
    ggplot2::geom_line()
}
