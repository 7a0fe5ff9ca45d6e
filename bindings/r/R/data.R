# Private data as the compiled part reads them: a path, or list(values, rows, beside) and what else is known, names of columns, points
# (known) and a shape.
# Nothing is read here but types.

as_table <- function(data, beside = list(), points = FALSE) {
  if (length(beside) && (is.null(names(beside)) || !all(nzchar(names(beside))) || anyDuplicated(names(beside)))) {
    refuse("vectors beside the data need names of their own: those that the study gives to columns", "data")
  }
  if (is_name(data) && is.null(dim(data))) {
    if (length(beside)) refuse("a file has all its columns: name them, and give no vectors beside its path", names(beside)[1])
    return(one_path(data, "data"))
  }
  beside <- lapply(beside, plain)
  # what smooth.basis() and fdPar() give
  if (inherits(data, c("fdSmooth", "fdPar"))) data <- data$fd
  if (inherits(data, "fd")) {
    return(of_fd(data, beside))
  }
  if (inherits(data, "tfd")) {
    return(of_tfd(data, beside))
  }
  if (inherits(data, "tf")) refuse("curves of tf that are sums of basis functions are evaluated first: give tf::tfd(x)", "data")
  if (is.data.frame(data)) {
    columns <- flat(data)
    names(columns) <- utf8(names(columns), "data")
    return(list(values = lapply(columns, plain), rows = nrow(data), beside = beside))
  }
  if (points && is.numeric(data) && is.null(dim(data)) && !is.object(data)) {
    data <- matrix(data, ncol = 1)
  }
  shape <- if (length(dim(data)) == 3 && is.numeric(data)) dim(data)[-1]
  if (!is.null(shape)) {
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
  names <- if (!is.null(colnames(data))) utf8(colnames(data), "data")
  list(values = data, rows = nrow(data), names = names, shape = shape, beside = beside)
}

# A vector whose type says what its cells are. What has another class keeps it, and is refused where it is used.
plain <- function(column) {
  # bit64 has to be loaded to tell such numbers
  is_long <- inherits(column, "integer64") && isNamespaceLoaded("bit64")
  if (is.factor(column) || is_long) column <- as.character(column)
  if (inherits(column, "AsIs")) class(column) <- setdiff(class(column), "AsIs")
  if (is.object(column)) {
    return(column)
  }
  if (!is.atomic(column) && !is.list(column)) refuse("a function or a name is no column and no vector", "data")
  if (is.character(column)) utf8(as.vector(column), "data") else as.vector(column)
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
  if (length(dim(coefs)) == 3) refuse("an fd of several variables is none of curves: give one of them", "data")
  if (!is.matrix(coefs) || !is.numeric(coefs) || !is.numeric(ends) || length(ends) != 2 || !isTRUE(ends[1] < ends[2])) {
    refuse("the fd has no coefficients of curves, or no domain", "data")
  }
  t <- seq(ends[1], ends[2], length.out = 101)
  functions <- basis_at(basis, t)
  if (ncol(functions) != nrow(coefs)) refuse("the fd has more or fewer coefficients than its basis has functions", "data")
  values <- crossprod(coefs, t(functions))
  dimnames(values) <- NULL
  list(values = values, rows = nrow(values), known = t, beside = beside)
}

# The functions of a basis of fda at points, a column each.
basis_at <- function(basis, t) {
  all <- tryCatch(switch(basis$type,
    bspline = splines_at(basis, t),
    fourier = waves_at(basis$params, basis$nbasis, t)
  ), error = function(fault) refuse("the basis of the fd is damaged: its functions have no values on its domain", "data"))
  if (is.null(all)) {
    refuse(paste(
      "the basis of this fd is neither a bspline nor a fourier basis:",
      "evaluate it by fda::eval.fd(t, fd), and give the transposed matrix"
    ), "data")
  }
  if (length(basis$dropind)) all[, -basis$dropind, drop = FALSE] else all
}

splines_at <- function(basis, t) {
  order <- basis$nbasis - length(basis$params)
  ends <- basis$rangeval
  stopifnot(basis$params > ends[1], basis$params < ends[2])
  splines::splineDesign(c(rep(ends[1], order), basis$params, rep(ends[2], order)), t, order)
}

# A constant, and sines and cosines in turn, of norm 1 on a period.
waves_at <- function(period, nbasis, t) {
  waves <- seq_len((nbasis - 1) / 2)
  angle <- outer(2 * pi * t / period, waves)
  all <- matrix(1 / sqrt(2), length(t), nbasis)
  all[, 2 * waves] <- sin(angle)
  all[, 2 * waves + 1] <- cos(angle)
  all / sqrt(period / 2)
}

# Curves of tf: on a common grid as a matrix, at points of their own as a long table with the columns id, arg and value.
of_tfd <- function(data, beside) {
  t <- as.double(unlist(attr(data, "arg")))
  curves <- unclass(data)
  if (inherits(data, "tfd_irreg")) {
    # whoever has no values stays a person
    of <- function(curve, what) if (length(curve$arg)) as.double(curve[[what]]) else NA_real_
    arg <- lapply(curves, of, "arg")
    ids <- if (is.null(names(curves))) seq_along(curves) else utf8(names(curves), "data")
    long <- list(
      id = rep(ids, lengths(arg)), arg = as.double(unlist(arg, use.names = FALSE)),
      value = as.double(unlist(lapply(curves, of, "value"), use.names = FALSE))
    )
    return(list(values = long, rows = length(long$id), beside = beside))
  }
  missing <- vapply(curves, function(curve) is.null(curve) || (length(curve) == 1 && is.na(curve)), logical(1))
  if (any(lengths(curves)[!missing] != length(t))) refuse("the tfd has curves with more or fewer values than points", "data")
  values <- matrix(NA_real_, length(curves), length(t))
  values[!missing, ] <- do.call(rbind, lapply(curves[!missing], as.double))
  list(values = values, rows = nrow(values), known = t, beside = beside)
}
