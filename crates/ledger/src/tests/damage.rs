//! Ledgers that were edited, cut, moved, or found no room.

use super::*;

/// A ledger with two releases.
fn filled(path: &std::path::Path) -> LedgerHistory {
    let mut ledger = Ledger::create(path, &terms(1.0, 0.0)).unwrap();
    release(&mut ledger, "a", Toy::pure(0.1)).unwrap();
    release(&mut ledger, "b", Toy::pure(0.2)).unwrap();
    ledger.history().unwrap()
}

/// Runs SQL on the file behind the ledger's back, with its triggers put away and back again.
pub fn edited(path: &std::path::Path, sql: &str) -> LedgerError {
    edit(path, sql);
    Ledger::open(path).unwrap_err()
}

pub fn edit(path: &std::path::Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    let triggers: Vec<(String, String)> = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (name, _) in &triggers {
        connection.execute(&format!("DROP TRIGGER {name}"), []).unwrap();
    }
    assert_eq!(connection.execute(sql, []).unwrap(), 1, "{sql}");
    for (_, trigger) in &triggers {
        connection.execute(trigger, []).unwrap();
    }
}

#[test]
fn an_edited_entry_is_found() {
    let edits = [
        "UPDATE entries SET event = replace(event, '0.2', '0.1') WHERE sequence = 3",
        "UPDATE entries SET event = replace(event, 'curve', 'subject') || ' ' WHERE sequence = 0",
        "UPDATE entries SET event = replace(event, '\"epsilon\":1.0', '\"epsilon\":9.0') WHERE sequence = 0",
        "UPDATE entries SET hash = previous WHERE sequence = 1",
        "UPDATE entries SET previous = hash WHERE sequence = 1",
        "UPDATE entries SET sequence = 7 WHERE sequence = 2",
        "DELETE FROM entries WHERE sequence = 1",
        "DELETE FROM entries WHERE sequence = 4",
        "UPDATE entries SET event = replace(event, '\"private\":true', '\"private\":false') WHERE sequence = 4",
        "DELETE FROM head",
        "UPDATE head SET sequence = 2",
        "UPDATE head SET hash = 'none'",
        "UPDATE entries SET kind = 'foo' WHERE sequence = 1",
        "UPDATE entries SET request = 'other' WHERE sequence = 2",
        "INSERT INTO entries SELECT 5, kind, 'c', event, previous, hash FROM entries WHERE sequence = 3",
    ];
    for sql in edits {
        let (_folder, path) = place();
        filled(&path);
        let error = edited(&path, sql);
        let expected = matches!(error, LedgerError::Damaged(_) | LedgerError::Entry { .. });
        assert!(expected, "{sql}: {error}");
    }
}

#[test]
fn an_older_copy_that_was_put_back_does_not_hold_the_releases_made_since() {
    let (folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
    let first = release(&mut ledger, "a", Toy::pure(0.1)).unwrap().reference;
    let copy = folder.path().join("copy");
    fs::copy(&path, &copy).unwrap();
    let second = release(&mut ledger, "b", Toy::pure(0.2)).unwrap().reference;
    fs::rename(&copy, &path).unwrap();
    // nothing in the file itself can tell: it was a whole ledger once
    let mut restored = Ledger::open(&path).unwrap();
    let history = restored.history().unwrap();
    assert!(history.holds(&first) && !history.holds(&second));
    // nor does it when the number of the entry is taken again
    release(&mut restored, "c", Toy::pure(0.2)).unwrap();
    assert!(!restored.history().unwrap().holds(&second));
}

#[test]
fn changed_tables_and_protections_are_found() {
    let changes = [
        "DROP TRIGGER entries_stay",
        "CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM head; END",
        "CREATE TABLE more (x)",
        "CREATE VIEW more AS SELECT 1",
        "ALTER TABLE entries ADD COLUMN more TEXT",
    ];
    for sql in changes {
        let (_folder, path) = place();
        filled(&path);
        Connection::open(&path).unwrap().execute(sql, []).unwrap();
        assert!(matches!(Ledger::open(&path), Err(LedgerError::Tables)), "{sql}");
    }
}

#[test]
fn the_tables_refuse_edits() {
    let (_folder, path) = place();
    filled(&path);
    let connection = Connection::open(&path).unwrap();
    for sql in [
        "UPDATE entries SET event = ''",
        "DELETE FROM entries",
        "UPDATE draws SET integers = x'00'",
        "DELETE FROM draws",
        "UPDATE secret SET key = x'00'",
        "DELETE FROM secret",
        "DELETE FROM head",
        "UPDATE head SET sequence = 0",
        "INSERT INTO entries SELECT 9, kind, request, event, previous, hash FROM entries WHERE sequence = 1",
    ] {
        assert!(connection.execute(sql, []).is_err(), "{sql}");
    }
    Ledger::open(&path).unwrap();
}

#[test]
fn a_ledger_that_another_program_keeps_in_two_files_pays_for_nothing() {
    let (folder, path) = place();
    filled(&path);
    let other = Connection::open(&path).unwrap();
    let mode: String = other.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    let count: i64 = other.query_row("SELECT count(*) FROM entries", [], |row| row.get(0)).unwrap();
    let error = Ledger::open(&path).unwrap_err();
    assert!(matches!(error, LedgerError::Journal), "{error}");
    drop(other);
    // alone again, it goes back to one file
    let mut ledger = Ledger::open(&path).unwrap();
    release(&mut ledger, "c", Toy::pure(0.1)).unwrap();
    assert_eq!(i64::try_from(ledger.history().unwrap().entries().len()), Ok(count + 2));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn names_that_mean_something_else_to_a_database_are_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in [":memory:", "file:x?mode=memory", "a b'c.ledger"] {
        let path = folder.path().join(name);
        filled(&path);
        assert_eq!(Ledger::open(&path).unwrap().history().unwrap().entries().len(), 5, "{name}");
    }
}

#[test]
fn no_flipped_byte_and_no_cut_passes_for_another_history() {
    let (folder, path) = place();
    let history = filled(&path);
    let bytes = fs::read(&path).unwrap();
    let copy = folder.path().join("copy");
    let is_found = |bytes: &[u8]| {
        fs::write(&copy, bytes).unwrap();
        match Ledger::open(&copy) {
            Err(_) => true,
            // an unused byte of a page, or a field of the header that says nothing about the entries
            Ok(ledger) => ledger.history().unwrap() == history,
        }
    };
    for position in (0..bytes.len()).step_by(23) {
        let mut flipped = bytes.clone();
        flipped[position] ^= 0x11;
        assert!(is_found(&flipped), "byte {position}");
    }
    // the last page is empty room of a release: a cut in it loses nothing
    let last_page = bytes.len() - 4096;
    for length in (0..=last_page).step_by(509).chain([last_page]) {
        fs::write(&copy, &bytes[..length]).unwrap();
        assert!(Ledger::open(&copy).is_err(), "cut at {length}");
    }
    for length in (last_page + 1..bytes.len()).step_by(509) {
        assert!(is_found(&bytes[..length]), "cut at {length}");
    }
}

#[test]
fn an_exported_history_that_was_edited_is_refused() {
    let (_folder, path) = place();
    let json = filled(&path).to_json().unwrap();
    let edits = [
        ("\"0.2\"", "\"0.02\""),
        ("\"tracts\"", "\"other\""),
        ("\"sequence\": 2", "\"sequence\": 3"),
        ("\"schema\": 3", "\"schema\": 2"),
        ("\"event\": \"created\"", "\"event\": \"spent\""),
    ];
    for (old, new) in edits {
        assert!(json.contains(old), "{old}");
        assert!(LedgerHistory::from_json(&json.replacen(old, new, 1)).is_err(), "{old}");
    }
}

#[test]
fn what_is_no_ledger_is_refused() {
    let (folder, path) = place();
    assert!(matches!(Ledger::open(&path), Err(LedgerError::Open { .. })));
    assert!(matches!(Ledger::open(folder.path()), Err(LedgerError::NotALedger)));
    for content in ["", "t,value\n0,1\n", "SQLite format 3\0 and no more"] {
        fs::write(&path, content).unwrap();
        let error = Ledger::open(&path).unwrap_err();
        assert!(!matches!(error, LedgerError::Damaged(_)), "{error}");
    }
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute("CREATE TABLE entries (x)", []).unwrap();
    assert!(matches!(Ledger::open(&path), Err(LedgerError::NotALedger)));
}

#[test]
fn a_ledger_that_is_moved_removed_or_replaced_while_open_pays_for_nothing() {
    let (folder, path) = place();
    let elsewhere = folder.path().join("elsewhere");
    for change in ["moved", "removed", "replaced"] {
        let mut ledger = Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
        release(&mut ledger, "a", Toy::pure(0.1)).unwrap();
        match change {
            "moved" => fs::rename(&path, &elsewhere).unwrap(),
            "removed" => fs::remove_file(&path).unwrap(),
            _ => {
                fs::copy(&path, &elsewhere).unwrap();
                fs::rename(&elsewhere, &path).unwrap();
            }
        }
        let error = release(&mut ledger, "b", Toy::pure(0.1)).unwrap_err();
        assert!(matches!(error, LedgerError::Moved), "{change}: {error}");
        let _ = fs::remove_file(&path);
        let _ = fs::remove_file(&elsewhere);
    }
}
