# The examples of the guide run on the data that ship with the project, and ask for what their study files say.

root <- Sys.getenv("DPFDA_ROOT")

test_that("every example of the guide runs and follows its study", {
  skip_if(root == "", "the repository is not at hand")
  examples <- list.files(file.path(root, "docs", "snippets"), "^example[.]R$", recursive = TRUE, full.names = TRUE)
  expect_gte(length(examples), 8)
  here <- setwd(root)
  on.exit(setwd(here))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  for (example in examples) {
    place <- new.env()
    utils::capture.output(sys.source(example, place))
    study <- file.path(dirname(example), "study.toml")
    # columns of a data frame have names of their own: the study of a matrix column is another
    if (file.exists(study) && !grepl("regression", example)) {
      expect_silent(dp_verify(place$release, study = dp_study(study)))
    }
  }
})
