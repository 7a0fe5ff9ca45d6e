# What is raised. No message shows a value of the private data: at most a row and the name of a column.

refuse <- function(message, setting = NULL, about = NULL) {
  about <- if (length(about) && nzchar(about)) paste0("dpfda_", about, "_error")
  setting <- if (length(setting) && nzchar(setting)) setting
  stop(structure(
    class = c(about, "dpfda_refusal", "error", "condition"),
    list(message = message, call = NULL, setting = setting)
  ))
}

# The answer of the compiled part, or its refusal as a condition.
asked <- function(answer) {
  if (is.list(answer) && identical(names(answer), c("refused", "setting", "about"))) {
    refuse(answer$refused, answer$setting, answer$about)
  }
  answer
}

# Warns the curator. It is called before anything is paid for or drawn: a warning that is an error stops a release.
tell <- function(concerns, notes) {
  warn <- function(text, class) {
    warning(structure(class = c(class, "warning", "condition"), list(message = text, call = NULL)))
  }
  for (text in concerns) warn(paste("NOT FOR PUBLICATION:", text), "dpfda_curator_warning")
  for (text in notes) warn(text, "dpfda_ledger_warning")
}

# One number, or none where nothing is said.
one_number <- function(given, name) {
  if (is.null(given)) {
    return(NULL)
  }
  if (!is.numeric(given) || length(given) != 1 || is.na(given)) refuse(paste0("`", name, "` must be one number"), name)
  as.double(given)
}
