# Private data as the compiled part reads them: a path, or list(values, names, known, beside). Nothing is read here but types.

as_table <- function(data, beside = list(), points = FALSE) {
  if (is.character(data) && is.null(dim(data)) && length(data) == 1 && !is.na(data)) {
    return(path.expand(data))
  }
  beside <- lapply(beside, plain)
  if (inherits(data, "fd")) {
    return(of_fd(data, beside))
  }
  if (inherits(data, "tfd")) {
    return(of_tfd(data, beside))
  }
  if (is.data.frame(data)) {
    return(list(values = lapply(flat(data), plain), names = NULL, known = NULL, beside = beside))
  }
  if (points && is.numeric(data) && is.null(dim(data)) && !is.object(data)) {
    data <- matrix(data, ncol = 1)
  }
  if (length(dim(data)) == 3 && is.numeric(data)) {
    # rows of surfaces, t fastest
    data <- matrix(aperm(data, c(1, 3, 2)), nrow = dim(data)[1])
  }
  if (inherits(data, "AsIs")) class(data) <- setdiff(class(data), "AsIs")
  if (!is.matrix(data) || !is.numeric(data) || (is.object(data) && !inherits(data, "matrix"))) {
    refuse(paste(
      "the data are neither a matrix of numbers, a data frame, curves (fd, tfd) nor a path:",
      "a list, a factor, complex numbers, text and NULL are none"
    ), "data")
  }
  if (!is.double(data)) storage.mode(data) <- "double"
  list(values = data, names = colnames(data), known = NULL, beside = beside)
}

# A vector whose type says what its cells are. What has another class keeps it, and is refused where it is used.
plain <- function(column) {
  if (is.factor(column) || inherits(column, "integer64")) {
    return(as.character(column))
  }
  if (inherits(column, "AsIs")) class(column) <- setdiff(class(column), "AsIs")
  if (is.object(column)) column else as.vector(column)
}

# Matrix columns, as those of refund, in columns of their own: `cca_1`, `cca_2`, ..., or `cca_name` where they have names.
flat <- function(data) {
  is_matrix <- vapply(data, function(column) length(dim(column)) == 2, logical(1))
  if (!any(is_matrix)) {
    return(as.list(data))
  }
  parts <- lapply(names(data), function(name) {
    column <- data[[name]]
    if (length(dim(column)) != 2) {
      return(stats::setNames(list(column), name))
    }
    ends <- if (is.null(colnames(column))) seq_len(ncol(column)) else colnames(column)
    is_whole <- startsWith(as.character(ends), name)
    stats::setNames(
      lapply(seq_len(ncol(column)), function(at) column[, at]),
      ifelse(is_whole, ends, paste0(name, "_", ends))
    )
  })
  do.call(c, parts)
}

# Curves of fda, evaluated at 101 points of their domain.
of_fd <- function(data, beside) {
  basis <- data$basis
  coefs <- data$coefs
  ends <- basis$rangeval
  t <- seq(ends[1], ends[2], length.out = 101)
  if (length(dim(coefs)) != 2) refuse("an fd of several variables is none of curves: give one of them", "data")
  values <- crossprod(coefs, t(basis_at(basis, t)))
  dimnames(values) <- NULL
  list(values = values, names = NULL, known = t, beside = beside)
}

# The functions of a basis of fda at points, a column each.
basis_at <- function(basis, t) {
  ends <- basis$rangeval
  all <- switch(basis$type,
    bspline = {
      order <- basis$nbasis - length(basis$params)
      splines::splineDesign(c(rep(ends[1], order), basis$params, rep(ends[2], order)), t, order)
    },
    fourier = {
      waves <- seq_len((basis$nbasis - 1) / 2)
      angle <- outer(2 * pi * t / basis$params, waves)
      pairs <- matrix(rbind(c(sin(angle)), c(cos(angle))), ncol = 2, byrow = TRUE)
      both <- array(pairs, c(length(t), length(waves), 2))
      waved <- matrix(aperm(both, c(1, 3, 2)), nrow = length(t))
      cbind(1 / sqrt(2), waved) / sqrt(basis$params / 2)
    },
    refuse(paste(
      "the basis of this fd is neither a bspline nor a fourier basis:",
      "evaluate it by fda::eval.fd(t, fd), and give the transposed matrix"
    ), "data")
  )
  if (length(basis$dropind)) all[, -basis$dropind, drop = FALSE] else all
}

# Curves of tf: on a common grid as a matrix, at points of their own as a long table with the columns id, arg and value.
of_tfd <- function(data, beside) {
  argument <- attr(data, "arg")
  curves <- unclass(data)
  if (inherits(data, "tfd_irreg")) {
    lengths <- vapply(curves, function(curve) length(curve$arg), integer(1))
    ids <- if (is.null(names(curves))) seq_along(curves) else names(curves)
    column <- function(of) unlist(lapply(curves, `[[`, of), use.names = FALSE)
    long <- list(id = rep(ids, lengths), arg = as.double(column("arg")), value = as.double(column("value")))
    return(list(values = long, names = NULL, known = NULL, beside = beside))
  }
  values <- do.call(rbind, lapply(curves, as.double))
  dimnames(values) <- NULL
  list(values = values, names = NULL, known = as.double(argument[[1]]), beside = beside)
}
