# Written by bindings/r/signatures.R from the table of settings: edit that, not this.

#' The private mean of curves on a common grid
#'
#' @param x A matrix with a curve in each row, a data frame or tibble, an `fd`, a `tfd`, or the path of a file.
#' @param epsilon The privacy parameter epsilon, such as 1; smaller is more private. Given as a number.
#' @param delta The parameter delta, such as 1e-5; well below 1 / (number of subjects). For the mean of curves it may be 0, and for a density it is 0 unless another is given. Given as a number.
#' @param neighbours Which data sets must look alike: substitute or add-remove. substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private. Given as "substitute" or "add-remove".
#' @param because Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release. Given as a text.
#' @param classical Use the classical scale of Gaussian noise, which is larger and needs epsilon <= 1, to compare with earlier work. Given as TRUE or FALSE.
#' @param mechanism What makes the release private. Of a mean: white noise (isonormal), or noise of the smoother's own kernel (cameron-martin). Given as "isonormal" or "cameron-martin".
#' @param moments Which second moments are released with the mean: the free ones, which white noise has under substitute (auto), with the noise of the mean as small as it can be (mean), with that of the second moments smaller (covariance), or none. Given as "auto" or "mean" or "covariance" or "none".
#' @param center The public centre of the curves: a number, or a CSV file with columns t,value. It is in the units of the curves. Of a change it is the change that is expected, 0 unless it is given. Given as a number, or a text, or a data.frame with t and value, or the path of such a CSV file.
#' @param radius The largest root-mean-square distance of a curve from the centre. It is in the units of the curves. Curves beyond are pulled in. Chosen from public knowledge, never from these data. Given as a number.
#' @param bounds The least and the largest value that a curve can have, or each coordinate of a point. In place of `center` and `radius`. Values outside are clamped. A density has two numbers for each of its columns; of a change it is the least and the largest change. Chosen from public knowledge, never from these data. Given as numbers.
#' @param slope The largest root-mean-square slope of a curve about the centre, beside its radius, in the units of the data for one unit of the grid: rough functions then get less noise. Given as a number.
#' @param roughness Charge waves shorter than this length of the grid: rough functions then get less noise. The radius must then be found (`radius_share`). 0 charges nothing. By default it is 0.15 of the domain, where a radius is found and the band needs no white noise; by default 0.15 of the domain. Given as a number.
#' @param radius_share The share of the budget that finds a smaller radius, or none; by default by rule. The radius is then as small as the data allow; none, or 0, keeps the stated one. By default the share is 20 / (mu N) between 0.02 and 0.1, with N people and mu the size of the budget; it is 0.05 where N is not known before the curves are read, and of rows none is found then. From too few people the default finds none, and spends nothing on it; a share that is given is refused then. Given as a number, or a text.
#' @param center_share The share of the budget that finds the centre as well, or none; by default by rule. By default it is that of the radius where `bounds` alone are given and mu N is at least 50, and none elsewhere: with few people and little budget such a centre is erratic. Given as a number, or a text.
#' @param expected The number of people that you expect: public, and known before the data. The default shares follow it in place of the number in the data. Give it where that number is private, or where data are in parts. Given as a whole number.
#' @param values The value columns: names or patterns such as 'cca_\*', with commas. Columns are taken in the order given, and in the order of the file within a pattern; '!' before a name or a pattern leaves columns out, as in 'h\*,!h24'. A column that is no point of the curve, such as YEAR among h0,h1,..., is refused unless it is named itself. Given as texts.
#' @param subject The ids of subjects: a vector, or the name of a column. All rows of a subject are protected together.
#' @param missing Codes for missing values, such as -999; empty cells and words such as NA are known. Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999 or -99999 is refused, for it may be either. Given as texts, or a number, or numbers.
#' @param grid Where the columns lie: two ends A,B, one point for each, or names; by default 0,1. With two ends, columns are equally spaced; with names, they lie where their names say. Names of columns that are numbers, dates or times must be in their order, and equally spaced where the grid is. With uniform, or uniform:A,B, the columns are equally spaced whatever their names say. With names, a time of the day is in hours, and a date in days after the first. Given as numbers, or a text.
#' @param periodic The domain closes up, as a day or a gait cycle does: its two ends are one point. With two ends A,B, columns are equally spaced from A to one step before B, which is A again: no column repeats the first. Points and names must be equally spaced, and the domain closes up one step after the last of them. With `domain`, its two ends are one point. The estimate, its slope and its band close up. Given as TRUE or FALSE.
#' @param delimiter What stands between cells: one character, or tab; by default a comma, and a tab in a .tsv file. Given as a text.
#' @param decimal_comma Numbers have a decimal comma, as in 1,5. Given as TRUE or FALSE.
#' @param gaps What stands for a missing value: a line between its neighbours, what a public process expects, or nothing. Choose before you look at the data; docs/kinds/mean.md has what each costs. Each curve is treated on its own, and the guarantee is the same. Given as "interpolate" or "gaussian-process".
#' @param gaps_kernel The kernel of `gaps` gaussian-process; by default matern32. Given as a text.
#' @param gaps_range Its range on the domain mapped to \[0, 1\]; by default 0.3. Given as a number.
#' @param gaps_noise The standard deviation of a measurement, in standard deviations of the process about the centre; by default 0.1. Given as a number.
#' @param coordinates With a delta of 0: how many public coordinates of the mean are released, from 1 to 64; by default 12. They are those of the smoothest functions. With `periodic` the default is 11, and the number is odd or that of all points. The noise of each grows with their number, and the rest of the mean is not released. Given as a whole number.
#' @param select Estimate by one smoother, in place of the posterior mean. One that is chosen from the release itself by Stein's unbiased risk estimate, at no cost in privacy (sure), or by a fixed rule from public numbers (default). Given as "sure" or "default".
#' @param kernel The kernel of the smoother; by default matern52. Given as a text.
#' @param range The range of the kernel on the domain mapped to \[0, 1\], as in exp(-d^2/range); by default one for each kernel. Given as a number.
#' @param penalty The penalty phi; larger is smoother; by default by a fixed rule from public numbers. Given as a number.
#' @param eta The power eta >= 1 of the kernel in the penalty; by default 1. Given as a number.
#' @param band What the band is about; by default population; smoothed with a smoother. Given as "population" or "posterior" or "smoothed" or "undersmoothed" or "unsmoothed" or "honest" or "noise" or "prediction" or "tolerance".
#' @param level The probability that the band states, above 0.5 and below 0.9999. Given as a number.
#' @param band_roughness The public bound on the roughness of the mean that the honest band needs: a norm of its distance from the centre, in the space of the Matern 3/2 kernel of range 0.2. Given as a number.
#' @param dataset What the data set is called, for the report and the release. Given as a text.
#' @param study_name What the study is called. Given as a text.
#' @param approval What the approval is called, such as the number of the vote of an ethics board. Given as a text.
#' @param date The day of the study, such as 2026-11-27. Given as a text.
#' @param title The title of the figure. Given as a text.
#' @param size The size of the figure in CSS pixels, 96 to an inch, such as 800x500. A figure is higher than that where its panels and captions need it, as those of surfaces do. Given as a text.
#' @param x_label What the horizontal axis shows, with its unit. The names of the axes are public. Given as a text.
#' @param y_label What the vertical axis shows. Given as a text.
#' @param units The unit of the values, such as cm: it stands behind the name of the vertical axis. Given as a text.
#' @param formats The kinds of files that the figure is written as, with commas: svg, pdf and png; by default all three. Given as texts.
#' @inheritParams release
#' @return A release; see [release-methods].
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' mean <- dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' plot(mean)
#' @export
dp_mean <- function(x, epsilon = NULL, delta = NULL, neighbours = "substitute", because = NULL, classical = FALSE, mechanism = "isonormal", moments = "auto", center = NULL, radius = NULL, bounds = NULL, slope = NULL, roughness = NULL, radius_share = NULL, center_share = NULL, expected = NULL, values = NULL, subject = NULL, missing = NULL, grid = NULL, periodic = FALSE, delimiter = NULL, decimal_comma = FALSE, gaps = "interpolate", gaps_kernel = NULL, gaps_range = NULL, gaps_noise = NULL, coordinates = NULL, select = NULL, kernel = NULL, range = NULL, penalty = NULL, eta = NULL, band = NULL, level = 0.95, band_roughness = NULL, dataset = NULL, study_name = NULL, approval = NULL, date = NULL, title = NULL, size = NULL, x_label = NULL, y_label = NULL, units = NULL, formats = NULL, ledger = NULL, release_id = NULL, part_of = NULL, demonstration = NULL) {
  released("mean", x, match.call(), c("epsilon", "delta", "neighbours", "because", "classical", "mechanism", "moments", "center", "radius", "bounds", "slope", "roughness", "radius_share", "center_share", "expected", "values", "subject", "missing", "grid", "periodic", "delimiter", "decimal_comma", "gaps", "gaps_kernel", "gaps_range", "gaps_noise", "coordinates", "select", "kernel", "range", "penalty", "eta", "band", "level", "band_roughness", "dataset", "study_name", "approval", "date", "title", "size", "x_label", "y_label", "units", "formats"), environment())
}

#' The private mean of each of several groups of curves
#'
#' @param x A matrix with a curve in each row, a data frame or tibble, an `fd`, a `tfd`, or the path of a file.
#' @param epsilon The privacy parameter epsilon, such as 1; smaller is more private. Given as a number.
#' @param delta The parameter delta, such as 1e-5; well below 1 / (number of subjects). For the mean of curves it may be 0, and for a density it is 0 unless another is given. Given as a number.
#' @param neighbours Which data sets must look alike: substitute or add-remove. substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private. Given as "substitute" or "add-remove".
#' @param because Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release. Given as a text.
#' @param classical Use the classical scale of Gaussian noise, which is larger and needs epsilon <= 1, to compare with earlier work. Given as TRUE or FALSE.
#' @param moments Which second moments are released with the mean: the free ones, which white noise has under substitute (auto), with the noise of the mean as small as it can be (mean), with that of the second moments smaller (covariance), or none. Given as "auto" or "mean" or "covariance" or "none".
#' @param center The public centre of the curves: a number, or a CSV file with columns t,value. It is in the units of the curves. Of a change it is the change that is expected, 0 unless it is given. Given as a number, or a text, or a data.frame with t and value, or the path of such a CSV file.
#' @param radius The largest root-mean-square distance of a curve from the centre. It is in the units of the curves. Curves beyond are pulled in. Chosen from public knowledge, never from these data. Given as a number.
#' @param bounds The least and the largest value that a curve can have, or each coordinate of a point. In place of `center` and `radius`. Values outside are clamped. A density has two numbers for each of its columns; of a change it is the least and the largest change. Chosen from public knowledge, never from these data. Given as numbers.
#' @param radius_share The share of the budget that finds a smaller radius, or none; by default by rule. The radius is then as small as the data allow; none, or 0, keeps the stated one. By default the share is 20 / (mu N) between 0.02 and 0.1, with N people and mu the size of the budget; it is 0.05 where N is not known before the curves are read, and of rows none is found then. From too few people the default finds none, and spends nothing on it; a share that is given is refused then. Given as a number, or a text.
#' @param center_share The share of the budget that finds the centre as well, or none; by default by rule. By default it is that of the radius where `bounds` alone are given and mu N is at least 50, and none elsewhere: with few people and little budget such a centre is erratic. Given as a number, or a text.
#' @param expected The number of people that you expect: public, and known before the data. The default shares follow it in place of the number in the data. Give it where that number is private, or where data are in parts. Given as a whole number.
#' @param values The value columns: names or patterns such as 'cca_\*', with commas. Columns are taken in the order given, and in the order of the file within a pattern; '!' before a name or a pattern leaves columns out, as in 'h\*,!h24'. A column that is no point of the curve, such as YEAR among h0,h1,..., is refused unless it is named itself. Given as texts.
#' @param subject The ids of subjects: a vector, or the name of a column. All rows of a subject are protected together.
#' @param missing Codes for missing values, such as -999; empty cells and words such as NA are known. Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999 or -99999 is refused, for it may be either. Given as texts, or a number, or numbers.
#' @param grid Where the columns lie: two ends A,B, one point for each, or names; by default 0,1. With two ends, columns are equally spaced; with names, they lie where their names say. Names of columns that are numbers, dates or times must be in their order, and equally spaced where the grid is. With uniform, or uniform:A,B, the columns are equally spaced whatever their names say. With names, a time of the day is in hours, and a date in days after the first. Given as numbers, or a text.
#' @param periodic The domain closes up, as a day or a gait cycle does: its two ends are one point. With two ends A,B, columns are equally spaced from A to one step before B, which is A again: no column repeats the first. Points and names must be equally spaced, and the domain closes up one step after the last of them. With `domain`, its two ends are one point. The estimate, its slope and its band close up. Given as TRUE or FALSE.
#' @param delimiter What stands between cells: one character, or tab; by default a comma, and a tab in a .tsv file. Given as a text.
#' @param decimal_comma Numbers have a decimal comma, as in 1,5. Given as TRUE or FALSE.
#' @param by The groups: a vector, or the name of a column. Without `private_labels` the labels are public: every group in the data has the whole budget, and its size is told.
#' @param private_labels The labels of the groups, where who is in which group is private: these and no others, in this order. A row with another label or none counts in no group. Given as texts.
#' @param groups_of_subject The most groups that one subject counts in, with `private_labels`: the noise grows with its root. Given as a whole number.
#' @param level The probability that the band states, above 0.5 and below 0.9999. Given as a number.
#' @param dataset What the data set is called, for the report and the release. Given as a text.
#' @param study_name What the study is called. Given as a text.
#' @param approval What the approval is called, such as the number of the vote of an ethics board. Given as a text.
#' @param date The day of the study, such as 2026-11-27. Given as a text.
#' @param title The title of the figure. Given as a text.
#' @param size The size of the figure in CSS pixels, 96 to an inch, such as 800x500. A figure is higher than that where its panels and captions need it, as those of surfaces do. Given as a text.
#' @param x_label What the horizontal axis shows, with its unit. The names of the axes are public. Given as a text.
#' @param y_label What the vertical axis shows. Given as a text.
#' @param units The unit of the values, such as cm: it stands behind the name of the vertical axis. Given as a text.
#' @param formats The kinds of files that the figure is written as, with commas: svg, pdf and png; by default all three. Given as texts.
#' @inheritParams release
#' @return A release; see [release-methods].
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(4000, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' status <- rep(c("case", "control"), 2000)
#' groups <- dp_groups(curves, by = status, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' plot(groups)
#' @export
dp_groups <- function(x, epsilon = NULL, delta = NULL, neighbours = "substitute", because = NULL, classical = FALSE, moments = "auto", center = NULL, radius = NULL, bounds = NULL, radius_share = NULL, center_share = NULL, expected = NULL, values = NULL, subject = NULL, missing = NULL, grid = NULL, periodic = FALSE, delimiter = NULL, decimal_comma = FALSE, by = NULL, private_labels = NULL, groups_of_subject = 1, level = 0.95, dataset = NULL, study_name = NULL, approval = NULL, date = NULL, title = NULL, size = NULL, x_label = NULL, y_label = NULL, units = NULL, formats = NULL, ledger = NULL, release_id = NULL, part_of = NULL, demonstration = NULL) {
  released("groups", x, match.call(), c("epsilon", "delta", "neighbours", "because", "classical", "moments", "center", "radius", "bounds", "radius_share", "center_share", "expected", "values", "subject", "missing", "grid", "periodic", "delimiter", "decimal_comma", "by", "private_labels", "groups_of_subject", "level", "dataset", "study_name", "approval", "date", "title", "size", "x_label", "y_label", "units", "formats"), environment())
}

#' The private mean change of people between two visits, or with time
#'
#' The curve of a person at the later visit, less that at the earlier one; `bounds`, `center` and `radius` are of such changes. Who has
#' both visits is private, and so is their number. With `per` in place of `change`, the slope of a person's curves with time.
#'
#' @param x A formula `Y ~ visit | id` with a matrix of curves, the visit of each row and whose row it is: `change = c(1, 2)` then names two visits, and without `change` the release is of slopes. Or a data frame or the path of a file, with `change = list(visit = c(1, 2))` and `subject`.
#' @param data With a formula: the data frame with its columns.
#' @param epsilon The privacy parameter epsilon, such as 1; smaller is more private. Given as a number.
#' @param delta The parameter delta, such as 1e-5; well below 1 / (number of subjects). For the mean of curves it may be 0, and for a density it is 0 unless another is given. Given as a number.
#' @param neighbours Which data sets must look alike: substitute or add-remove. substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private. Given as "substitute" or "add-remove".
#' @param because Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release. Given as a text.
#' @param classical Use the classical scale of Gaussian noise, which is larger and needs epsilon <= 1, to compare with earlier work. Given as TRUE or FALSE.
#' @param moments Which second moments are released with the mean: the free ones, which white noise has under substitute (auto), with the noise of the mean as small as it can be (mean), with that of the second moments smaller (covariance), or none. Given as "auto" or "mean" or "covariance" or "none".
#' @param center The public centre of the curves: a number, or a CSV file with columns t,value. It is in the units of the curves. Of a change it is the change that is expected, 0 unless it is given. Given as a number, or a text, or a data.frame with t and value, or the path of such a CSV file.
#' @param radius The largest root-mean-square distance of a curve from the centre. It is in the units of the curves. Curves beyond are pulled in. Chosen from public knowledge, never from these data. Given as a number.
#' @param bounds The least and the largest value that a curve can have, or each coordinate of a point. In place of `center` and `radius`. Values outside are clamped. A density has two numbers for each of its columns; of a change it is the least and the largest change. Chosen from public knowledge, never from these data. Given as numbers.
#' @param radius_share The share of the budget that finds a smaller radius, or none; by default by rule. The radius is then as small as the data allow; none, or 0, keeps the stated one. By default the share is 20 / (mu N) between 0.02 and 0.1, with N people and mu the size of the budget; it is 0.05 where N is not known before the curves are read, and of rows none is found then. From too few people the default finds none, and spends nothing on it; a share that is given is refused then. Given as a number, or a text.
#' @param center_share The share of the budget that finds the centre as well, or none; by default by rule. By default it is that of the radius where `bounds` alone are given and mu N is at least 50, and none elsewhere: with few people and little budget such a centre is erratic. Given as a number, or a text.
#' @param expected The number of people that you expect: public, and known before the data. The default shares follow it in place of the number in the data. Give it where that number is private, or where data are in parts. Given as a whole number.
#' @param values The value columns: names or patterns such as 'cca_\*', with commas. Columns are taken in the order given, and in the order of the file within a pattern; '!' before a name or a pattern leaves columns out, as in 'h\*,!h24'. A column that is no point of the curve, such as YEAR among h0,h1,..., is refused unless it is named itself. Given as texts.
#' @param subject The ids of subjects: a vector, or the name of a column. All rows of a subject are protected together.
#' @param missing Codes for missing values, such as -999; empty cells and words such as NA are known. Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999 or -99999 is refused, for it may be either. Given as texts, or a number, or numbers.
#' @param grid Where the columns lie: two ends A,B, one point for each, or names; by default 0,1. With two ends, columns are equally spaced; with names, they lie where their names say. Names of columns that are numbers, dates or times must be in their order, and equally spaced where the grid is. With uniform, or uniform:A,B, the columns are equally spaced whatever their names say. With names, a time of the day is in hours, and a date in days after the first. Given as numbers, or a text.
#' @param periodic The domain closes up, as a day or a gait cycle does: its two ends are one point. With two ends A,B, columns are equally spaced from A to one step before B, which is A again: no column repeats the first. Points and names must be equally spaced, and the domain closes up one step after the last of them. With `domain`, its two ends are one point. The estimate, its slope and its band close up. Given as TRUE or FALSE.
#' @param delimiter What stands between cells: one character, or tab; by default a comma, and a tab in a .tsv file. Given as a text.
#' @param decimal_comma Numbers have a decimal comma, as in 1,5. Given as TRUE or FALSE.
#' @param change Two visits, the earlier first: with a formula such as `c(1, 2)`, and else with their column, such as `list(visit = c(1, 2))`.
#' @param per In place of `change`: the name of the column of times. The slope of the line of least squares through a person's rows, at each point, for one unit of time.
#' @param apart The least time between the first and the last row of a person, for `per`. Slopes over a short time are mostly noise. Who has no rows so far apart counts as absent. Given as a number.
#' @param level The probability that the band states, above 0.5 and below 0.9999. Given as a number.
#' @param dataset What the data set is called, for the report and the release. Given as a text.
#' @param study_name What the study is called. Given as a text.
#' @param approval What the approval is called, such as the number of the vote of an ethics board. Given as a text.
#' @param date The day of the study, such as 2026-11-27. Given as a text.
#' @param title The title of the figure. Given as a text.
#' @param size The size of the figure in CSS pixels, 96 to an inch, such as 800x500. A figure is higher than that where its panels and captions need it, as those of surfaces do. Given as a text.
#' @param x_label What the horizontal axis shows, with its unit. The names of the axes are public. Given as a text.
#' @param y_label What the vertical axis shows. Given as a text.
#' @param units The unit of the values, such as cm: it stands behind the name of the vertical axis. Given as a text.
#' @param formats The kinds of files that the figure is written as, with commas: svg, pdf and png; by default all three. Given as texts.
#' @inheritParams release
#' @return A release; see [release-methods].
#' @examples
#' people <- data.frame(id = rep(1:2000, 2), visit = rep(1:2, each = 2000))
#' people$cca <- 0.5 + 0.1 * outer(people$visit, sin(seq(0, 6, length.out = 30)))
#' change <- dp_change(cca ~ visit | id, people,
#'   change = c(1, 2), bounds = c(-0.3, 0.3), epsilon = 1, delta = 1e-5
#' )
#' plot(change)
#' @export
dp_change <- function(x, data = NULL, epsilon = NULL, delta = NULL, neighbours = "substitute", because = NULL, classical = FALSE, moments = "auto", center = NULL, radius = NULL, bounds = NULL, radius_share = NULL, center_share = NULL, expected = NULL, values = NULL, subject = NULL, missing = NULL, grid = NULL, periodic = FALSE, delimiter = NULL, decimal_comma = FALSE, change = NULL, per = NULL, apart = NULL, level = 0.95, dataset = NULL, study_name = NULL, approval = NULL, date = NULL, title = NULL, size = NULL, x_label = NULL, y_label = NULL, units = NULL, formats = NULL, ledger = NULL, release_id = NULL, part_of = NULL, demonstration = NULL) {
  call <- match.call()
  beside <- list()
  if (inherits(x, "formula")) {
    found <- of_visits(x, data, change, per)
    call[names(found$named)] <- found$named
    for (name in names(found$named)) assign(name, found$named[[name]])
    beside <- found$beside
    x <- found$curves
  }
  released("change", x, call, c("epsilon", "delta", "neighbours", "because", "classical", "moments", "center", "radius", "bounds", "radius_share", "center_share", "expected", "values", "subject", "missing", "grid", "periodic", "delimiter", "decimal_comma", "change", "per", "apart", "level", "dataset", "study_name", "approval", "date", "title", "size", "x_label", "y_label", "units", "formats"), environment(), beside)
}

#' The private regression of curves on covariates
#'
#' `Y(t) = beta_0(t) + sum_k x_k beta_k(t) + error`. Covariates are as private as curves, unless they are said to be public.
#' A number outside its bounds counts as the nearer bound.
#'
#' @param formula A formula such as `Y ~ case + visit`, whose left side is a matrix with a curve in each row.
#' @param data A data frame with the columns of the formula.
#' @param epsilon The privacy parameter epsilon, such as 1; smaller is more private. Given as a number.
#' @param delta The parameter delta, such as 1e-5; well below 1 / (number of subjects). For the mean of curves it may be 0, and for a density it is 0 unless another is given. Given as a number.
#' @param neighbours Which data sets must look alike: substitute or add-remove. substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private. Given as "substitute" or "add-remove".
#' @param because Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release. Given as a text.
#' @param classical Use the classical scale of Gaussian noise, which is larger and needs epsilon <= 1, to compare with earlier work. Given as TRUE or FALSE.
#' @param center The public centre of the curves: a number, or a CSV file with columns t,value. It is in the units of the curves. Of a change it is the change that is expected, 0 unless it is given. Given as a number, or a text, or a data.frame with t and value, or the path of such a CSV file.
#' @param radius The largest root-mean-square distance of a curve from the centre. It is in the units of the curves. Curves beyond are pulled in. Chosen from public knowledge, never from these data. Given as a number.
#' @param bounds The least and the largest value that a curve can have, or each coordinate of a point. In place of `center` and `radius`. Values outside are clamped. A density has two numbers for each of its columns; of a change it is the least and the largest change. Chosen from public knowledge, never from these data. Given as numbers.
#' @param radius_share The share of the budget that finds a smaller radius, or none; by default by rule. The radius is then as small as the data allow; none, or 0, keeps the stated one. By default the share is 20 / (mu N) between 0.02 and 0.1, with N people and mu the size of the budget; it is 0.05 where N is not known before the curves are read, and of rows none is found then. From too few people the default finds none, and spends nothing on it; a share that is given is refused then. Given as a number, or a text.
#' @param center_share The share of the budget that finds the centre as well, or none; by default by rule. By default it is that of the radius where `bounds` alone are given and mu N is at least 50, and none elsewhere: with few people and little budget such a centre is erratic. Given as a number, or a text.
#' @param expected The number of people that you expect: public, and known before the data. The default shares follow it in place of the number in the data. Give it where that number is private, or where data are in parts. Given as a whole number.
#' @param values The value columns: names or patterns such as 'cca_\*', with commas. Columns are taken in the order given, and in the order of the file within a pattern; '!' before a name or a pattern leaves columns out, as in 'h\*,!h24'. A column that is no point of the curve, such as YEAR among h0,h1,..., is refused unless it is named itself. Given as texts.
#' @param subject The ids of subjects: a vector, or the name of a column. All rows of a subject are protected together.
#' @param missing Codes for missing values, such as -999; empty cells and words such as NA are known. Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999 or -99999 is refused, for it may be either. Given as texts, or a number, or numbers.
#' @param grid Where the columns lie: two ends A,B, one point for each, or names; by default 0,1. With two ends, columns are equally spaced; with names, they lie where their names say. Names of columns that are numbers, dates or times must be in their order, and equally spaced where the grid is. With uniform, or uniform:A,B, the columns are equally spaced whatever their names say. With names, a time of the day is in hours, and a date in days after the first. Given as numbers, or a text.
#' @param periodic The domain closes up, as a day or a gait cycle does: its two ends are one point. With two ends A,B, columns are equally spaced from A to one step before B, which is A again: no column repeats the first. Points and names must be equally spaced, and the domain closes up one step after the last of them. With `domain`, its two ends are one point. The estimate, its slope and its band close up. Given as TRUE or FALSE.
#' @param delimiter What stands between cells: one character, or tab; by default a comma, and a tab in a .tsv file. Given as a text.
#' @param decimal_comma Numbers have a decimal comma, as in 1,5. Given as TRUE or FALSE.
#' @param covariate_bounds The public range of each covariate: a list such as `list(visit = c(1, 8), site = c("north", "south"))`, with two numbers, or the levels with the reference first. Chosen from public knowledge, never from these data.
#' @param outcome Release the correlation of curves with an outcome of people, such as age=20:80. A column with its public range: two bounds, or two levels such as status=control|case. The release shows the correlation at each point with its band and, where the noise allows it, the slope function and the part of the outcome that curves explain. What the covariates of `on` explain is taken out of both first. Given as a text.
#' @param public_design The covariates of everybody are public, and only the curves are private. That takes less noise. It is possible under substitute alone. Given as TRUE or FALSE.
#' @param level The probability that the band states, above 0.5 and below 0.9999. Given as a number.
#' @param dataset What the data set is called, for the report and the release. Given as a text.
#' @param study_name What the study is called. Given as a text.
#' @param approval What the approval is called, such as the number of the vote of an ethics board. Given as a text.
#' @param date The day of the study, such as 2026-11-27. Given as a text.
#' @param title The title of the figure. Given as a text.
#' @param size The size of the figure in CSS pixels, 96 to an inch, such as 800x500. A figure is higher than that where its panels and captions need it, as those of surfaces do. Given as a text.
#' @param x_label What the horizontal axis shows, with its unit. The names of the axes are public. Given as a text.
#' @param y_label What the vertical axis shows. Given as a text.
#' @param units The unit of the values, such as cm: it stands behind the name of the vertical axis. Given as a text.
#' @param formats The kinds of files that the figure is written as, with commas: svg, pdf and png; by default all three. Given as texts.
#' @inheritParams release
#' @return A release; see [release-methods].
#' @examples
#' people <- data.frame(age = runif(4000, 20, 80))
#' people$cca <- 0.4 + 0.003 * people$age * matrix(seq(0, 1, length.out = 30), 4000, 30, byrow = TRUE)
#' fit <- dp_fosr(cca ~ age, people,
#'   covariate_bounds = list(age = c(18, 90)), bounds = c(0, 1), epsilon = 2, delta = 1e-5
#' )
#' predict(fit, list(age = 40))[1:3, ]
#' @export
dp_fosr <- function(formula, data = NULL, epsilon = NULL, delta = NULL, neighbours = "substitute", because = NULL, classical = FALSE, center = NULL, radius = NULL, bounds = NULL, radius_share = NULL, center_share = NULL, expected = NULL, values = NULL, subject = NULL, missing = NULL, grid = NULL, periodic = FALSE, delimiter = NULL, decimal_comma = FALSE, covariate_bounds = NULL, outcome = NULL, public_design = FALSE, level = 0.95, dataset = NULL, study_name = NULL, approval = NULL, date = NULL, title = NULL, size = NULL, x_label = NULL, y_label = NULL, units = NULL, formats = NULL, ledger = NULL, release_id = NULL, part_of = NULL, demonstration = NULL) {
  found <- of_formula(formula, data)
  call <- match.call()
  call$on <- on <- names(found$beside)
  if (is_name(subject) && !subject %in% on) found$beside[[subject]] <- data[[subject]]
  released("regression", found$curves, call, c("epsilon", "delta", "neighbours", "because", "classical", "center", "radius", "bounds", "radius_share", "center_share", "expected", "values", "subject", "missing", "grid", "periodic", "delimiter", "decimal_comma", "on", "covariate_bounds", "outcome", "public_design", "level", "dataset", "study_name", "approval", "date", "title", "size", "x_label", "y_label", "units", "formats"), environment(), found$beside)
}

#' The private mean of curves that were seen at other times for each person
#'
#' All rows of a person are protected together.
#'
#' @param x A formula such as `value ~ time | id`; or a long data frame, with `id`, `time` and `value`; an irregular `tfd`; a matrix with gaps; or the path of a file.
#' @param data With a formula: the long data frame, or the path of a file.
#' @param epsilon The privacy parameter epsilon, such as 1; smaller is more private. Given as a number.
#' @param delta The parameter delta, such as 1e-5; well below 1 / (number of subjects). For the mean of curves it may be 0, and for a density it is 0 unless another is given. Given as a number.
#' @param neighbours Which data sets must look alike: substitute or add-remove. substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private. Given as "substitute" or "add-remove".
#' @param because Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release. Given as a text.
#' @param classical Use the classical scale of Gaussian noise, which is larger and needs epsilon <= 1, to compare with earlier work. Given as TRUE or FALSE.
#' @param center The public centre of the curves: a number, or a CSV file with columns t,value. It is in the units of the curves. Of a change it is the change that is expected, 0 unless it is given. Given as a number, or a text, or a data.frame with t and value, or the path of such a CSV file.
#' @param radius The largest root-mean-square distance of a curve from the centre. It is in the units of the curves. Curves beyond are pulled in. Chosen from public knowledge, never from these data. Given as a number.
#' @param bounds The least and the largest value that a curve can have, or each coordinate of a point. In place of `center` and `radius`. Values outside are clamped. A density has two numbers for each of its columns; of a change it is the least and the largest change. Chosen from public knowledge, never from these data. Given as numbers.
#' @param radius_share The share of the budget that finds a smaller radius, or none; by default by rule. The radius is then as small as the data allow; none, or 0, keeps the stated one. By default the share is 20 / (mu N) between 0.02 and 0.1, with N people and mu the size of the budget; it is 0.05 where N is not known before the curves are read, and of rows none is found then. From too few people the default finds none, and spends nothing on it; a share that is given is refused then. Given as a number, or a text.
#' @param expected The number of people that you expect: public, and known before the data. The default shares follow it in place of the number in the data. Give it where that number is private, or where data are in parts. Given as a whole number.
#' @param bound The largest distance of one value from the centre, at least the radius; by default twice the radius. Values beyond are clamped. With `bounds` it is what the bounds say, unless a radius is found. Given as a number.
#' @param values The value columns: names or patterns such as 'cca_\*', with commas. Columns are taken in the order given, and in the order of the file within a pattern; '!' before a name or a pattern leaves columns out, as in 'h\*,!h24'. A column that is no point of the curve, such as YEAR among h0,h1,..., is refused unless it is named itself. Given as texts.
#' @param subject The ids of subjects: a vector, or the name of a column. All rows of a subject are protected together.
#' @param missing Codes for missing values, such as -999; empty cells and words such as NA are known. Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999 or -99999 is refused, for it may be either. Given as texts, or a number, or numbers.
#' @param grid Where the columns lie: two ends A,B, one point for each, or names; by default 0,1. With two ends, columns are equally spaced; with names, they lie where their names say. Names of columns that are numbers, dates or times must be in their order, and equally spaced where the grid is. With uniform, or uniform:A,B, the columns are equally spaced whatever their names say. With names, a time of the day is in hours, and a date in days after the first. Given as numbers, or a text.
#' @param periodic The domain closes up, as a day or a gait cycle does: its two ends are one point. With two ends A,B, columns are equally spaced from A to one step before B, which is A again: no column repeats the first. Points and names must be equally spaced, and the domain closes up one step after the last of them. With `domain`, its two ends are one point. The estimate, its slope and its band close up. Given as TRUE or FALSE.
#' @param delimiter What stands between cells: one character, or tab; by default a comma, and a tab in a .tsv file. Given as a text.
#' @param decimal_comma Numbers have a decimal comma, as in 1,5. Given as TRUE or FALSE.
#' @param gaps What stands for a missing value: a line between its neighbours, what a public process expects, or nothing. Choose before you look at the data; docs/kinds/mean.md has what each costs. Each curve is treated on its own, and the guarantee is the same. Given as "rows".
#' @param id The column of subject ids of a long table: all rows of a subject are protected together, wherever they are. With `time`, `value` and `domain`, in place of `values`. Of surfaces with `s`, `t` and `value`. Given as a text.
#' @param time The column of times: numbers, such as days since enrolment. Given as a text.
#' @param value The column of values. Given as a text.
#' @param domain The two ends of the times, chosen from public knowledge, never from these data; rows outside count as no rows. Given as numbers.
#' @param bins The number of bins of the domain; of centile curves that of points, which rows count at the nearest of. 20 suit sparse data, and 30 suit 30 values a subject or more. Given as a whole number.
#' @param band What the band is about; by default population; smoothed with a smoother. Given as "population" or "posterior" or "noise".
#' @param level The probability that the band states, above 0.5 and below 0.9999. Given as a number.
#' @param dataset What the data set is called, for the report and the release. Given as a text.
#' @param study_name What the study is called. Given as a text.
#' @param approval What the approval is called, such as the number of the vote of an ethics board. Given as a text.
#' @param date The day of the study, such as 2026-11-27. Given as a text.
#' @param title The title of the figure. Given as a text.
#' @param size The size of the figure in CSS pixels, 96 to an inch, such as 800x500. A figure is higher than that where its panels and captions need it, as those of surfaces do. Given as a text.
#' @param x_label What the horizontal axis shows, with its unit. The names of the axes are public. Given as a text.
#' @param y_label What the vertical axis shows. Given as a text.
#' @param units The unit of the values, such as cm: it stands behind the name of the vertical axis. Given as a text.
#' @param formats The kinds of files that the figure is written as, with commas: svg, pdf and png; by default all three. Given as texts.
#' @inheritParams release
#' @return A release; see [release-methods].
#' @examples
#' visits <- data.frame(patient = rep(1:2000, each = 3), hour = runif(6000, 0, 24))
#' visits$glucose <- 5 + sin(visits$hour / 4)
#' mean <- dp_rows(glucose ~ hour | patient, visits,
#'   domain = c(0, 24), bounds = c(2, 12), epsilon = 1, delta = 1e-5
#' )
#' predict(mean, c(8, 12, 20))
#' @export
dp_rows <- function(x, data = NULL, epsilon = NULL, delta = NULL, neighbours = "substitute", because = NULL, classical = FALSE, center = NULL, radius = NULL, bounds = NULL, radius_share = NULL, expected = NULL, bound = NULL, values = NULL, subject = NULL, missing = NULL, grid = NULL, periodic = FALSE, delimiter = NULL, decimal_comma = FALSE, gaps = NULL, id = NULL, time = NULL, value = NULL, domain = NULL, bins = 20, band = NULL, level = 0.95, dataset = NULL, study_name = NULL, approval = NULL, date = NULL, title = NULL, size = NULL, x_label = NULL, y_label = NULL, units = NULL, formats = NULL, ledger = NULL, release_id = NULL, part_of = NULL, demonstration = NULL) {
  call <- match.call()
  if (inherits(x, "formula")) {
    named <- of_values(x)
    call[names(named)] <- named
    for (name in names(named)) assign(name, named[[name]])
    x <- data
  }
  released("rows", x, call, c("epsilon", "delta", "neighbours", "because", "classical", "center", "radius", "bounds", "radius_share", "expected", "bound", "values", "subject", "missing", "grid", "periodic", "delimiter", "decimal_comma", "gaps", "id", "time", "value", "domain", "bins", "band", "level", "dataset", "study_name", "approval", "date", "title", "size", "x_label", "y_label", "units", "formats"), environment())
}

#' The private mean of surfaces on a common grid
#'
#' @param x An array of persons by `s` by `t`; or what [dp_mean()] takes, with a surface in each row, `t` fastest.
#' @param epsilon The privacy parameter epsilon, such as 1; smaller is more private. Given as a number.
#' @param delta The parameter delta, such as 1e-5; well below 1 / (number of subjects). For the mean of curves it may be 0, and for a density it is 0 unless another is given. Given as a number.
#' @param neighbours Which data sets must look alike: substitute or add-remove. substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private. Given as "substitute" or "add-remove".
#' @param because Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release. Given as a text.
#' @param classical Use the classical scale of Gaussian noise, which is larger and needs epsilon <= 1, to compare with earlier work. Given as TRUE or FALSE.
#' @param center The public centre of the curves: a number, or a CSV file with columns t,value. It is in the units of the curves. Of a change it is the change that is expected, 0 unless it is given. Given as a number, or a text, or a data.frame with t and value, or the path of such a CSV file.
#' @param radius The largest root-mean-square distance of a curve from the centre. It is in the units of the curves. Curves beyond are pulled in. Chosen from public knowledge, never from these data. Given as a number.
#' @param bounds The least and the largest value that a curve can have, or each coordinate of a point. In place of `center` and `radius`. Values outside are clamped. A density has two numbers for each of its columns; of a change it is the least and the largest change. Chosen from public knowledge, never from these data. Given as numbers.
#' @param radius_share The share of the budget that finds a smaller radius, or none; by default by rule. The radius is then as small as the data allow; none, or 0, keeps the stated one. By default the share is 20 / (mu N) between 0.02 and 0.1, with N people and mu the size of the budget; it is 0.05 where N is not known before the curves are read, and of rows none is found then. From too few people the default finds none, and spends nothing on it; a share that is given is refused then. Given as a number, or a text.
#' @param center_share The share of the budget that finds the centre as well, or none; by default by rule. By default it is that of the radius where `bounds` alone are given and mu N is at least 50, and none elsewhere: with few people and little budget such a centre is erratic. Given as a number, or a text.
#' @param expected The number of people that you expect: public, and known before the data. The default shares follow it in place of the number in the data. Give it where that number is private, or where data are in parts. Given as a whole number.
#' @param values The value columns: names or patterns such as 'cca_\*', with commas. Columns are taken in the order given, and in the order of the file within a pattern; '!' before a name or a pattern leaves columns out, as in 'h\*,!h24'. A column that is no point of the curve, such as YEAR among h0,h1,..., is refused unless it is named itself. Given as texts.
#' @param subject The ids of subjects: a vector, or the name of a column. All rows of a subject are protected together.
#' @param missing Codes for missing values, such as -999; empty cells and words such as NA are known. Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999 or -99999 is refused, for it may be either. Given as texts, or a number, or numbers.
#' @param delimiter What stands between cells: one character, or tab; by default a comma, and a tab in a .tsv file. Given as a text.
#' @param decimal_comma Numbers have a decimal comma, as in 1,5. Given as TRUE or FALSE.
#' @param id The column of subject ids of a long table: all rows of a subject are protected together, wherever they are. With `time`, `value` and `domain`, in place of `values`. Of surfaces with `s`, `t` and `value`. Given as a text.
#' @param value The column of values. Given as a text.
#' @param s The column of s in a table with one row for each value: every number is a point of the grid, up to 0.01 of a step. With `surface`, `surface_domain`, `id`, `t` and `value`. A subject has one surface, and at most one row for each point. A point without a row, and one without a value, is filled within the surface. Given as a text.
#' @param t The column of t in such a table. Given as a text.
#' @param surface Each row is a surface on N1 x N2 points: the values of the first s for all t, then those of the second s, and so on. The columns stand in this order, t fastest. Both axes are equally spaced, and the centre is a number. A table with one row for each value of a surface has `id`, `s`, `t` and `value` in place of `values`. Given as numbers.
#' @param surface_domain The ends of s and of t, chosen from public knowledge. Given as numbers.
#' @param band What the band is about; by default population; smoothed with a smoother. Given as "population" or "posterior" or "noise".
#' @param level The probability that the band states, above 0.5 and below 0.9999. Given as a number.
#' @param dataset What the data set is called, for the report and the release. Given as a text.
#' @param study_name What the study is called. Given as a text.
#' @param approval What the approval is called, such as the number of the vote of an ethics board. Given as a text.
#' @param date The day of the study, such as 2026-11-27. Given as a text.
#' @param title The title of the figure. Given as a text.
#' @param size The size of the figure in CSS pixels, 96 to an inch, such as 800x500. A figure is higher than that where its panels and captions need it, as those of surfaces do. Given as a text.
#' @param x_label What the horizontal axis shows, with its unit. The names of the axes are public. Given as a text.
#' @param y_label What the vertical axis shows. Given as a text.
#' @param s_label What the axis of s shows, with its unit; `x_label` names that of t, and `y_label` the value. Given as a text.
#' @param units The unit of the values, such as cm: it stands behind the name of the vertical axis. Given as a text.
#' @param formats The kinds of files that the figure is written as, with commas: svg, pdf and png; by default all three. Given as texts.
#' @inheritParams release
#' @return A release; see [release-methods].
#' @examples
#' one <- outer(sin(0:23 / 4), cos(0:6))
#' x <- 0.5 + 0.1 * aperm(array(one, c(24, 7, 500)), c(3, 1, 2))
#' ends <- c(0, 23, 0, 6)
#' surface <- dp_surface(x, surface_domain = ends, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' predict(surface, data.frame(s = 12.5, t = 3))
#' @export
dp_surface <- function(x, epsilon = NULL, delta = NULL, neighbours = "substitute", because = NULL, classical = FALSE, center = NULL, radius = NULL, bounds = NULL, radius_share = NULL, center_share = NULL, expected = NULL, values = NULL, subject = NULL, missing = NULL, delimiter = NULL, decimal_comma = FALSE, id = NULL, value = NULL, s = NULL, t = NULL, surface = NULL, surface_domain = c(0, 1, 0, 1), band = NULL, level = 0.95, dataset = NULL, study_name = NULL, approval = NULL, date = NULL, title = NULL, size = NULL, x_label = NULL, y_label = NULL, s_label = NULL, units = NULL, formats = NULL, ledger = NULL, release_id = NULL, part_of = NULL, demonstration = NULL) {
  released("surface", x, match.call(), c("epsilon", "delta", "neighbours", "because", "classical", "center", "radius", "bounds", "radius_share", "center_share", "expected", "values", "subject", "missing", "delimiter", "decimal_comma", "id", "value", "s", "t", "surface", "surface_domain", "band", "level", "dataset", "study_name", "approval", "date", "title", "size", "x_label", "y_label", "s_label", "units", "formats"), environment())
}

#' Private centile curves
#'
#' `as.data.frame()` has three columns for each centile, such as `p10`, `p10_lower` and `p10_upper`; `coef()` puts them below one another.
#'
#' @param x A matrix with a curve in each row, a data frame or tibble, an `fd`, a `tfd`, or the path of a file. For rows at times of their own a formula such as `value ~ time | id`, or a long data frame with `id`, `time` and `value`, and an irregular `tfd`.
#' @param data With a formula: the long data frame, or the path of a file.
#' @param epsilon The privacy parameter epsilon, such as 1; smaller is more private. Given as a number.
#' @param delta The parameter delta, such as 1e-5; well below 1 / (number of subjects). For the mean of curves it may be 0, and for a density it is 0 unless another is given. Given as a number.
#' @param neighbours Which data sets must look alike: substitute or add-remove. substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private. Given as "substitute" or "add-remove".
#' @param because Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release. Given as a text.
#' @param classical Use the classical scale of Gaussian noise, which is larger and needs epsilon <= 1, to compare with earlier work. Given as TRUE or FALSE.
#' @param center The public centre of the curves: a number, or a CSV file with columns t,value. It is in the units of the curves. Of a change it is the change that is expected, 0 unless it is given. Given as a number, or a text, or a data.frame with t and value, or the path of such a CSV file.
#' @param radius The largest root-mean-square distance of a curve from the centre. It is in the units of the curves. Curves beyond are pulled in. Chosen from public knowledge, never from these data. Given as a number.
#' @param bounds The least and the largest value that a curve can have, or each coordinate of a point. In place of `center` and `radius`. Values outside are clamped. A density has two numbers for each of its columns; of a change it is the least and the largest change. Chosen from public knowledge, never from these data. Given as numbers.
#' @param radius_share The share of the budget that finds a smaller radius, or none; by default by rule. The radius is then as small as the data allow; none, or 0, keeps the stated one. By default the share is 20 / (mu N) between 0.02 and 0.1, with N people and mu the size of the budget; it is 0.05 where N is not known before the curves are read, and of rows none is found then. From too few people the default finds none, and spends nothing on it; a share that is given is refused then. Given as a number, or a text.
#' @param expected The number of people that you expect: public, and known before the data. The default shares follow it in place of the number in the data. Give it where that number is private, or where data are in parts. Given as a whole number.
#' @param values The value columns: names or patterns such as 'cca_\*', with commas. Columns are taken in the order given, and in the order of the file within a pattern; '!' before a name or a pattern leaves columns out, as in 'h\*,!h24'. A column that is no point of the curve, such as YEAR among h0,h1,..., is refused unless it is named itself. Given as texts.
#' @param subject The ids of subjects: a vector, or the name of a column. All rows of a subject are protected together.
#' @param missing Codes for missing values, such as -999; empty cells and words such as NA are known. Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999 or -99999 is refused, for it may be either. Given as texts, or a number, or numbers.
#' @param grid Where the columns lie: two ends A,B, one point for each, or names; by default 0,1. With two ends, columns are equally spaced; with names, they lie where their names say. Names of columns that are numbers, dates or times must be in their order, and equally spaced where the grid is. With uniform, or uniform:A,B, the columns are equally spaced whatever their names say. With names, a time of the day is in hours, and a date in days after the first. Given as numbers, or a text.
#' @param periodic The domain closes up, as a day or a gait cycle does: its two ends are one point. With two ends A,B, columns are equally spaced from A to one step before B, which is A again: no column repeats the first. Points and names must be equally spaced, and the domain closes up one step after the last of them. With `domain`, its two ends are one point. The estimate, its slope and its band close up. Given as TRUE or FALSE.
#' @param delimiter What stands between cells: one character, or tab; by default a comma, and a tab in a .tsv file. Given as a text.
#' @param decimal_comma Numbers have a decimal comma, as in 1,5. Given as TRUE or FALSE.
#' @param gaps What stands for a missing value: a line between its neighbours, what a public process expects, or nothing. Choose before you look at the data; docs/kinds/mean.md has what each costs. Each curve is treated on its own, and the guarantee is the same. Given as "rows".
#' @param id The column of subject ids of a long table: all rows of a subject are protected together, wherever they are. With `time`, `value` and `domain`, in place of `values`. Of surfaces with `s`, `t` and `value`. Given as a text.
#' @param time The column of times: numbers, such as days since enrolment. Given as a text.
#' @param value The column of values. Given as a text.
#' @param domain The two ends of the times, chosen from public knowledge, never from these data; rows outside count as no rows. Given as numbers.
#' @param bins The number of bins of the domain; of centile curves that of points, which rows count at the nearest of. 20 suit sparse data, and 30 suit 30 values a subject or more. Given as a whole number.
#' @param centiles Release centile curves in place of a mean: these, in percent. From 2 to 98, with at least 10 people beyond each. It needs `bounds`. `center` may be given beside them: a typical curve, by default halfway. `radius` is then the largest mean absolute distance of a curve from it. Given as numbers.
#' @param level The probability that the band states, above 0.5 and below 0.9999. Given as a number.
#' @param dataset What the data set is called, for the report and the release. Given as a text.
#' @param study_name What the study is called. Given as a text.
#' @param approval What the approval is called, such as the number of the vote of an ethics board. Given as a text.
#' @param date The day of the study, such as 2026-11-27. Given as a text.
#' @param title The title of the figure. Given as a text.
#' @param size The size of the figure in CSS pixels, 96 to an inch, such as 800x500. A figure is higher than that where its panels and captions need it, as those of surfaces do. Given as a text.
#' @param x_label What the horizontal axis shows, with its unit. The names of the axes are public. Given as a text.
#' @param y_label What the vertical axis shows. Given as a text.
#' @param units The unit of the values, such as cm: it stands behind the name of the vertical axis. Given as a text.
#' @param formats The kinds of files that the figure is written as, with commas: svg, pdf and png; by default all three. Given as texts.
#' @inheritParams release
#' @return A release; see [release-methods].
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(3000), rep(1, 20)) + 0.2 * rep(1, 3000) %o% sin(1:20 / 4)
#' chart <- dp_centiles(curves, centiles = c(10, 50, 90), bounds = c(0, 1), epsilon = 2, delta = 1e-5)
#' plot(chart)
#' @export
dp_centiles <- function(x, data = NULL, epsilon = NULL, delta = NULL, neighbours = "substitute", because = NULL, classical = FALSE, center = NULL, radius = NULL, bounds = NULL, radius_share = NULL, expected = NULL, values = NULL, subject = NULL, missing = NULL, grid = NULL, periodic = FALSE, delimiter = NULL, decimal_comma = FALSE, gaps = NULL, id = NULL, time = NULL, value = NULL, domain = NULL, bins = NULL, centiles = c(5, 25, 50, 75, 95), level = 0.95, dataset = NULL, study_name = NULL, approval = NULL, date = NULL, title = NULL, size = NULL, x_label = NULL, y_label = NULL, units = NULL, formats = NULL, ledger = NULL, release_id = NULL, part_of = NULL, demonstration = NULL) {
  call <- match.call()
  if (inherits(x, "formula")) {
    named <- of_values(x)
    call[names(named)] <- named
    for (name in names(named)) assign(name, named[[name]])
    x <- data
  }
  released("centiles", x, call, c("epsilon", "delta", "neighbours", "because", "classical", "center", "radius", "bounds", "radius_share", "expected", "values", "subject", "missing", "grid", "periodic", "delimiter", "decimal_comma", "gaps", "id", "time", "value", "domain", "bins", "centiles", "level", "dataset", "study_name", "approval", "date", "title", "size", "x_label", "y_label", "units", "formats"), environment())
}

#' The private density of points of people
#'
#' Points outside the bounds are clamped; a missing value counts as the centre of its axis.
#'
#' @param x A vector of numbers, a matrix of one to three columns, a data frame or tibble, or the path of a file.
#' @param epsilon The privacy parameter epsilon, such as 1; smaller is more private. Given as a number.
#' @param delta The parameter delta, such as 1e-5; well below 1 / (number of subjects). For the mean of curves it may be 0, and for a density it is 0 unless another is given. Given as a number.
#' @param neighbours Which data sets must look alike: substitute or add-remove. substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private. Given as "substitute" or "add-remove".
#' @param because Why the guarantee is not a usual one: needed for an epsilon of 0 and a delta above 0.1, and told in the release. Given as a text.
#' @param mechanism What makes the release private. Of a mean: white noise (isonormal), or noise of the smoother's own kernel (cameron-martin). Given as "perturbed" or "smoothed" or "exponential" or "series" or "series-exponential".
#' @param unit What a row is to the ledger: curve (alone), or subject; by default curve; subject with `subject`. Say subject if nobody has two rows, which is your word. Given as "curve" or "subject".
#' @param bounds The least and the largest value that a curve can have, or each coordinate of a point. In place of `center` and `radius`. Values outside are clamped. A density has two numbers for each of its columns; of a change it is the least and the largest change. Chosen from public knowledge, never from these data. Given as numbers.
#' @param columns The columns of the coordinates: one to three names, separated by commas. Given as texts.
#' @param subject The ids of subjects: a vector, or the name of a column. All rows of a subject are protected together.
#' @param missing Codes for missing values, such as -999; empty cells and words such as NA are known. Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999 or -99999 is refused, for it may be either. Given as texts, or a number, or numbers.
#' @param delimiter What stands between cells: one character, or tab; by default a comma, and a tab in a .tsv file. Given as a text.
#' @param decimal_comma Numbers have a decimal comma, as in 1,5. Given as TRUE or FALSE.
#' @param cells The number of cells along each axis, chosen without looking at the data. By default: for perturbed, chosen from the release itself; for smoothed, the rate of Theorem 7 for n epsilon; for exponential, about 4 n^(1/3) and at most 1000, or 48 under add-remove; for both series, where it is only the resolution of release.csv and of the figure, 200, 60 or 24 for one, two or three columns. Given as a whole number.
#' @param draws The number of points in synthetic.csv. For perturbed and both series, drawn from the released density at no cost in privacy, and none by default. For smoothed and exponential K is part of the mechanism, and its draws are the release itself: by default for smoothed the rate of Theorem 7 for n epsilon, and for exponential (3 epsilon n)^(2/3) but at most n and at most 200, with n = 1000 under add-remove. Given as a whole number.
#' @param dataset What the data set is called, for the report and the release. Given as a text.
#' @param study_name What the study is called. Given as a text.
#' @param approval What the approval is called, such as the number of the vote of an ethics board. Given as a text.
#' @param date The day of the study, such as 2026-11-27. Given as a text.
#' @param title The title of the figure. Given as a text.
#' @param size The size of the figure in CSS pixels, 96 to an inch, such as 800x500. A figure is higher than that where its panels and captions need it, as those of surfaces do. Given as a text.
#' @param formats The kinds of files that the figure is written as, with commas: svg, pdf and png; by default all three. Given as texts.
#' @inheritParams release
#' @return A release; see [release-methods].
#' @examples
#' density <- dp_density(rnorm(3000, 45, 12), bounds = c(0, 120), epsilon = 1)
#' quantile(density, 0.5)
#' plot(density)
#' @export
dp_density <- function(x, epsilon = NULL, delta = 0, neighbours = "substitute", because = NULL, mechanism = "perturbed", unit = NULL, bounds = NULL, columns = NULL, subject = NULL, missing = NULL, delimiter = NULL, decimal_comma = NULL, cells = NULL, draws = NULL, dataset = NULL, study_name = NULL, approval = NULL, date = NULL, title = NULL, size = NULL, formats = NULL, ledger = NULL, release_id = NULL, part_of = NULL, demonstration = NULL) {
  released("density", x, match.call(), c("epsilon", "delta", "neighbours", "because", "mechanism", "unit", "bounds", "columns", "subject", "missing", "delimiter", "decimal_comma", "cells", "draws", "dataset", "study_name", "approval", "date", "title", "size", "formats"), environment())
}
