# What is raised. No message shows a value of the private data: at most a row and the name of a column.

refuse <- function(message, setting, about = NULL) {
  about <- if (length(about) && nzchar(about)) paste0("dpfda_", about, "_error")
  stop(structure(
    class = c(about, "dpfda_refusal", "error", "condition"),
    list(message = message, call = NULL, setting = setting)
  ))
}

# The answer of the compiled part, or its refusal as a condition: of a setting, or of what was given as a whole.
asked <- function(answer, whole = "study") {
  if (is.list(answer) && identical(names(answer), c("refused", "setting", "about"))) {
    refuse(answer$refused, if (nzchar(answer$setting)) answer$setting else whole, answer$about)
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
  if (!is.numeric(given) || is.object(given) || length(given) != 1 || is.na(given)) refuse(paste0("`", name, "` must be one number"), name)
  as.double(given)
}

# The same, where something must be said.
a_number <- function(given, name) {
  if (is.null(given)) refuse(paste0("`", name, "` must be one number"), name)
  one_number(given, name)
}

# Points, or none where nothing is said.
points_of <- function(given, name) {
  if (is.null(given)) {
    return(NULL)
  }
  if (!is.numeric(given) || is.object(given) || !length(given) || anyNA(given)) {
    refuse(paste0("`", name, "` must be numbers, and none of them NA"), name)
  }
  as.double(given)
}

is_name <- function(given) is.character(given) && length(given) == 1 && !is.na(given)

# One text, or none where nothing is said.
one_name <- function(given, name) {
  if (is.null(given)) {
    return(NULL)
  }
  if (!is_name(given)) refuse(paste0("`", name, "` must be one text"), name)
  utf8(given, name)
}

# A path, with the folder of the user in it.
one_path <- function(given, name) {
  if (!is_name(given) || !nzchar(given)) refuse(paste0("`", name, "` must be one path"), name)
  path.expand(utf8(given, name))
}

# The compiled part reads UTF-8 alone: text in another encoding is translated, and text that is in none is refused.
utf8 <- function(texts, name) {
  texts <- enc2utf8(texts)
  if (!all(validUTF8(texts))) {
    refuse("a text has bytes that its encoding does not have: read it again with its encoding, such as \"latin1\"", name)
  }
  texts
}

of_class <- function(given, class, name, maker) {
  if (!inherits(given, class)) refuse(paste0("`", name, "` must be ", maker), name)
  given
}

a_study <- function(given) of_class(given, "dpfda_study", "study", "a study, as dp_study() makes it")
a_release <- function(given, name = "release") of_class(given, "dpfda_release", name, "a release")
