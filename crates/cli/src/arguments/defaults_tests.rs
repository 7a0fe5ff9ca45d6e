use super::*;

fn unfilled(command: &Command) -> Vec<String> {
    let texts =
        |argument: &Arg| [argument.get_help(), argument.get_long_help()].map(|help| help.map(ToString::to_string));
    let own = command.get_arguments().flat_map(texts).flatten().filter(|help| help.contains('{'));
    own.chain(command.get_subcommands().flat_map(unfilled)).collect()
}

#[test]
fn every_number_that_a_help_text_names_is_filled_in() {
    assert!(unfilled(&Arguments::command()).len() >= named().len());
    assert_eq!(unfilled(&command()), Vec::<String>::new());
}
