//! What to do where a setting was refused, unless the refusal itself says it. Settings stand in braces.

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::kernels::KernelName;
use dpfda::release::{DEFAULT_BINS, DEFAULT_COORDINATES};

/// What to do about these settings, unless nothing can be said in general.
pub fn advice(settings: &[&str]) -> Option<String> {
    let text = match settings {
        ["values"] => {
            "give the names of the value columns, or patterns such as 'cca_*', separated by commas; '!' before one leaves columns out"
        }
        ["subject"] => "give the column that tells whose curve a row is",
        ["grid"] => {
            "give the two ends of the domain as A,B, one increasing point for each value column, or names to take the points from \
             the names of the columns"
        }
        ["surface"] => "give the numbers of points of the two axes, whose product is the number of value columns",
        ["domain"] => "give the two ends of the times in increasing order, such as {domain=0,24}",
        ["bins"] => return Some(format!("leave {{bins}} out for {DEFAULT_BINS}")),
        ["bound"] => "leave {bound} out for twice the radius",
        ["id", "time", "value"] => "give the names of three columns as the header has them",
        ["id", "s", "t", "value"] => "give the names of four columns as the header has them",
        ["center"] => "give a number in the units of the data, or a CSV file with the columns t,value",
        ["radius"] => "give a positive number in the units of the data, such as 0.25",
        ["epsilon"] => "give 0, or a number from 1e-6 to 50, such as 1; smaller is more private",
        ["delta"] => {
            "give a number from 1e-15 to 0.5, such as 1e-5; the mean of curves with isonormal noise may have 0"
        }
        ["coordinates"] => {
            return Some(format!(
                "leave {{coordinates}} out for {DEFAULT_COORDINATES}, or fewer where there are fewer points"
            ));
        }
        ["classical"] => {
            "leave {classical} out (epsilon may then be 0, or 1e-6 to 50), or give an epsilon from 1e-6 to 1"
        }
        ["kernel"] => return Some(format!("give one of {}", KernelName::known())),
        ["range"] => "give a positive number such as 0.25, a fraction of the domain, or leave {range} out",
        ["penalty"] => "give a positive number such as 0.001",
        ["eta"] => "leave {eta} out for 1, the usual power",
        ["moments"] => "leave {moments} out",
        ["slope"] => "leave {slope} out if you know no such bound",
        ["roughness"] => "leave {roughness} out for the ball",
        ["select"] => "leave {select} out",
        ["band"] => "leave {band} out for population",
        ["level"] => return Some(format!("leave {{level}} out for {DEFAULT_LEVEL}")),
        ["radius_share"] => {
            "give {radius_share=none} with a {radius} or {bounds} that you know; or collect more records, or spend a larger budget"
        }
        ["center_share"] => "leave {center_share} out, or give a share such as 0.1",
        ["columns"] => "give the names of one to three columns of the file, separated by commas",
        ["bounds"] => {
            "give the lower and the upper bound, such as {bounds=0,1}; density needs both for each column, such as {bounds=0,120,-5,5}"
        }
        ["cells"] => "give a smaller number, or leave {cells} out for the default",
        ["centiles"] => "give fewer centiles, and nearer to 50",
        ["by"] => "give the column that says which group a row is in, with a few labels such as case and control",
        ["change"] => "give the column of visits and two of them, such as {change=visit=1,2}",
        ["apart"] => "leave {apart} out for any two times",
        ["private_labels"] => "give the labels of the groups, such as {private_labels=case,control}",
        ["groups_of_subject"] => "give a number from 1 to the number of groups, or leave {groups_of_subject} out for 1",
        ["on"] => "name the columns of the covariates, separated by commas, such as status,visit",
        ["covariate_bounds"] => "give a range for each covariate, such as status=control|case,visit=1:8",
        ["outcome"] => "give one column with its public range, such as age=20:80 or status=control|case",
        ["public_design"] => "leave {public_design} out: the covariates are then as private as the curves",
        _ => return None,
    };
    Some(text.to_owned())
}
