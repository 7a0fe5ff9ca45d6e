//! The doors of the command: what is written, where, and for whom.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "force-without-proof",
        says: "--force replaces files that only have the names of a release",
        file: "crates/cli/src/output/earlier.rs",
        old: "None => Err(OutputError::Unproven { path: path(), contents }),",
        new: "None => Ok(()),",
        tests: &["force_does_not_replace_private_files_that_have_the_names_of_a_release"],
    },
    Fault {
        id: "force-on-foreign-files",
        says: "--force replaces a directory that holds something else too",
        file: "crates/cli/src/output/earlier.rs",
        old: "return Err(OutputError::Foreign { path: path(), name, contents });",
        new: "continue;",
        tests: &["force_does_not_replace_a_directory_that_holds_anything_else"],
    },
    Fault {
        id: "force-on-an-input",
        says: "--force replaces the directory of a file that the command reads",
        file: "crates/cli/src/output.rs",
        old: "self.check_inputs()?;",
        new: "",
        tests: &[
            "force_does_not_replace_the_directory_of_a_file_that_the_command_reads",
            "force_finds_an_input_in_the_directory_by_whatever_way_leads_there",
        ],
    },
    Fault {
        id: "changed-while-replaced",
        says: "what appeared in a directory while it was replaced is lost",
        file: "crates/cli/src/output.rs",
        old: r"earlier::check(made, target, self.place.contents).inspect_err(|_| {
            let _ = disk::exchange(made, target);
        })",
        new: "Ok(())",
        tests: &["what_appears_in_a_directory_while_it_is_replaced_is_not_lost"],
    },
    Fault {
        id: "removed-with-its-content",
        says: "a directory is removed with whatever is in it",
        file: "crates/cli/src/output/staging.rs",
        old: "let _ = fs::remove_dir(directory);",
        new: "let _ = fs::remove_dir_all(directory);",
        tests: &["no_directory_is_removed_with_what_is_in_it"],
    },
    Fault {
        id: "replaced-without-force",
        says: "an empty directory that appeared meanwhile is replaced without a word",
        file: "crates/cli/src/output/disk.rs",
        old: "renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)",
        new: "renameat_with(CWD, from, CWD, to, RenameFlags::empty())",
        tests: &["a_directory_takes_its_place_in_one_step"],
    },
    Fault {
        id: "unpublished-directory-readable",
        says: "others may look into a directory that is not published yet",
        file: "crates/cli/src/output/staging.rs",
        old: "modes::give(made.path(), 0o700)?;",
        new: "modes::give(made.path(), 0o755)?;",
        tests: &["nobody_else_may_look_at_what_is_not_published"],
    },
    Fault {
        id: "unpublished-files-readable",
        says: "others may read a file that is not published yet",
        file: "crates/cli/src/output/staging.rs",
        old: "file.set_permissions(modes::of(0o600))?;",
        new: "file.set_permissions(modes::of(0o644))?;",
        tests: &["nobody_else_may_look_at_what_is_not_published"],
    },
    Fault {
        id: "curators-files-published",
        says: "others may read what is for the curator alone",
        file: "crates/cli/src/output/staging.rs",
        old: "if self.contents.is_public() {",
        new: "if !self.contents.files().is_empty() {",
        tests: &["what_is_for_the_curator_may_not"],
    },
    Fault {
        id: "paths-not-escaped",
        says: "control characters of a path reach the terminal",
        file: "crates/cli/src/shown.rs",
        old: "shown.extend(piece[..end].escape_debug());",
        new: "shown += &piece[..end];",
        tests: &["what_is_not_printable_in_a_path_is_escaped"],
    },
];
