
// clang-format sorts includes unless SortIncludes: Never. However, the ordering
// does matter here. So, we need to disable clang-format for safety.

// clang-format off
#include <stdint.h>
#include <Rinternals.h>
#include <R_ext/Parse.h>
// clang-format on

#include "rust/api.h"

static uintptr_t TAGGED_POINTER_MASK = (uintptr_t)1;

SEXP handle_result(SEXP res_) {
    uintptr_t res = (uintptr_t)res_;

    // An error is indicated by tag.
    if ((res & TAGGED_POINTER_MASK) == 1) {
        // Remove tag
        SEXP res_aligned = (SEXP)(res & ~TAGGED_POINTER_MASK);

        // Currently, there are two types of error cases:
        //
        //   1. Error from Rust code
        //   2. Error from R's C API, which is caught by R_UnwindProtect()
        //
        if (TYPEOF(res_aligned) == CHARSXP) {
            // In case 1, the result is an error message that can be passed to
            // Rf_errorcall() directly.
            Rf_errorcall(R_NilValue, "%s", CHAR(res_aligned));
        } else {
            // In case 2, the result is the token to restart the
            // cleanup process on R's side.
            R_ContinueUnwind(res_aligned);
        }
    }

    return (SEXP)res;
}

SEXP savvy_rs_check__impl(SEXP c_arg__study, SEXP c_arg__takes_all, SEXP c_arg__data, SEXP c_arg__threads) {
    SEXP res = savvy_rs_check__ffi(c_arg__study, c_arg__takes_all, c_arg__data, c_arg__threads);
    return handle_result(res);
}

SEXP savvy_rs_compare__impl(SEXP c_arg__first, SEXP c_arg__second, SEXP c_arg__level, SEXP c_arg__of_first, SEXP c_arg__of_second) {
    SEXP res = savvy_rs_compare__ffi(c_arg__first, c_arg__second, c_arg__level, c_arg__of_first, c_arg__of_second);
    return handle_result(res);
}

SEXP savvy_rs_components__impl(SEXP c_arg__document) {
    SEXP res = savvy_rs_components__ffi(c_arg__document);
    return handle_result(res);
}

SEXP savvy_rs_describe__impl(SEXP c_arg__document) {
    SEXP res = savvy_rs_describe__ffi(c_arg__document);
    return handle_result(res);
}

SEXP savvy_rs_evaluate__impl(SEXP c_arg__document, SEXP c_arg__at, SEXP c_arg__s, SEXP c_arg__name) {
    SEXP res = savvy_rs_evaluate__ffi(c_arg__document, c_arg__at, c_arg__s, c_arg__name);
    return handle_result(res);
}

SEXP savvy_rs_features__impl(SEXP c_arg__document, SEXP c_arg__name, SEXP c_arg__at, SEXP c_arg__window, SEXP c_arg__from, SEXP c_arg__to) {
    SEXP res = savvy_rs_features__ffi(c_arg__document, c_arg__name, c_arg__at, c_arg__window, c_arg__from, c_arg__to);
    return handle_result(res);
}

SEXP savvy_rs_forecast__impl(SEXP c_arg__study, SEXP c_arg__records, SEXP c_arg__options) {
    SEXP res = savvy_rs_forecast__ffi(c_arg__study, c_arg__records, c_arg__options);
    return handle_result(res);
}

SEXP savvy_rs_ledger_create__impl(SEXP c_arg__path, SEXP c_arg__terms, SEXP c_arg__epsilon, SEXP c_arg__delta, SEXP c_arg__groups) {
    SEXP res = savvy_rs_ledger_create__ffi(c_arg__path, c_arg__terms, c_arg__epsilon, c_arg__delta, c_arg__groups);
    return handle_result(res);
}

SEXP savvy_rs_ledger_show__impl(SEXP c_arg__path) {
    SEXP res = savvy_rs_ledger_show__ffi(c_arg__path);
    return handle_result(res);
}

SEXP savvy_rs_mismatches__impl(SEXP c_arg__document, SEXP c_arg__study, SEXP c_arg__ledger) {
    SEXP res = savvy_rs_mismatches__ffi(c_arg__document, c_arg__study, c_arg__ledger);
    return handle_result(res);
}

SEXP savvy_rs_predict__impl(SEXP c_arg__document, SEXP c_arg__at) {
    SEXP res = savvy_rs_predict__ffi(c_arg__document, c_arg__at);
    return handle_result(res);
}

SEXP savvy_rs_quantiles__impl(SEXP c_arg__document, SEXP c_arg__shares, SEXP c_arg__normal, SEXP c_arg__level, SEXP c_arg__name) {
    SEXP res = savvy_rs_quantiles__ffi(c_arg__document, c_arg__shares, c_arg__normal, c_arg__level, c_arg__name);
    return handle_result(res);
}

SEXP savvy_rs_release__impl(SEXP c_arg__study, SEXP c_arg__takes_all, SEXP c_arg__data, SEXP c_arg__door, SEXP c_arg__tell, SEXP c_arg__threads) {
    SEXP res = savvy_rs_release__ffi(c_arg__study, c_arg__takes_all, c_arg__data, c_arg__door, c_arg__tell, c_arg__threads);
    return handle_result(res);
}

SEXP savvy_rs_report__impl(SEXP c_arg__documents, SEXP c_arg__ledger) {
    SEXP res = savvy_rs_report__ffi(c_arg__documents, c_arg__ledger);
    return handle_result(res);
}

SEXP savvy_rs_settings__impl(SEXP c_arg__kind) {
    SEXP res = savvy_rs_settings__ffi(c_arg__kind);
    return handle_result(res);
}

SEXP savvy_rs_simulate__impl(SEXP c_arg__document, SEXP c_arg__curves, SEXP c_arg__seed) {
    SEXP res = savvy_rs_simulate__ffi(c_arg__document, c_arg__curves, c_arg__seed);
    return handle_result(res);
}

SEXP savvy_rs_study__impl(SEXP c_arg__kind, SEXP c_arg__arguments) {
    SEXP res = savvy_rs_study__ffi(c_arg__kind, c_arg__arguments);
    return handle_result(res);
}

SEXP savvy_rs_study_of_file__impl(SEXP c_arg__text, SEXP c_arg__folder) {
    SEXP res = savvy_rs_study_of_file__ffi(c_arg__text, c_arg__folder);
    return handle_result(res);
}

SEXP savvy_rs_with_level__impl(SEXP c_arg__document, SEXP c_arg__level) {
    SEXP res = savvy_rs_with_level__ffi(c_arg__document, c_arg__level);
    return handle_result(res);
}


static const R_CallMethodDef CallEntries[] = {
    {"savvy_rs_check__impl", (DL_FUNC) &savvy_rs_check__impl, 4},
    {"savvy_rs_compare__impl", (DL_FUNC) &savvy_rs_compare__impl, 5},
    {"savvy_rs_components__impl", (DL_FUNC) &savvy_rs_components__impl, 1},
    {"savvy_rs_describe__impl", (DL_FUNC) &savvy_rs_describe__impl, 1},
    {"savvy_rs_evaluate__impl", (DL_FUNC) &savvy_rs_evaluate__impl, 4},
    {"savvy_rs_features__impl", (DL_FUNC) &savvy_rs_features__impl, 6},
    {"savvy_rs_forecast__impl", (DL_FUNC) &savvy_rs_forecast__impl, 3},
    {"savvy_rs_ledger_create__impl", (DL_FUNC) &savvy_rs_ledger_create__impl, 5},
    {"savvy_rs_ledger_show__impl", (DL_FUNC) &savvy_rs_ledger_show__impl, 1},
    {"savvy_rs_mismatches__impl", (DL_FUNC) &savvy_rs_mismatches__impl, 3},
    {"savvy_rs_predict__impl", (DL_FUNC) &savvy_rs_predict__impl, 2},
    {"savvy_rs_quantiles__impl", (DL_FUNC) &savvy_rs_quantiles__impl, 5},
    {"savvy_rs_release__impl", (DL_FUNC) &savvy_rs_release__impl, 6},
    {"savvy_rs_report__impl", (DL_FUNC) &savvy_rs_report__impl, 2},
    {"savvy_rs_settings__impl", (DL_FUNC) &savvy_rs_settings__impl, 1},
    {"savvy_rs_simulate__impl", (DL_FUNC) &savvy_rs_simulate__impl, 3},
    {"savvy_rs_study__impl", (DL_FUNC) &savvy_rs_study__impl, 2},
    {"savvy_rs_study_of_file__impl", (DL_FUNC) &savvy_rs_study_of_file__impl, 2},
    {"savvy_rs_with_level__impl", (DL_FUNC) &savvy_rs_with_level__impl, 2},
    {NULL, NULL, 0}
};

void R_init_dpfda(DllInfo *dll) {
    R_registerRoutines(dll, NULL, CallEntries, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);

    // Functions for initialization, if any.

}
