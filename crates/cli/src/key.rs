//! `dpfda key new`: a pair of keys, to sign releases with and to check them.

use dpfda::mechanism::Fact;
use dpfda_signature::new_pair;

use crate::arguments::{KeyCommand, NewKeyArguments};
use crate::error::CliError;
use crate::new_file::NewFile;
use crate::shown::shown;
use crate::signature::{SignatureRefusal, passphrase};
use crate::told::listed;

/// Makes keys; no data is touched.
pub fn run(command: &KeyCommand) -> Result<String, CliError> {
    match command {
        KeyCommand::New(arguments) => new(arguments),
    }
}

fn new(arguments: &NewKeyArguments) -> Result<String, CliError> {
    let mut public_path = arguments.file.clone().into_os_string();
    public_path.push(".pub");
    let secret_file = NewFile::check("FILE", &arguments.file)?;
    let public_file = NewFile::check("FILE", public_path.as_ref())?;
    let passphrase =
        if arguments.no_passphrase { None } else { Some(passphrase(true).ok_or(SignatureRefusal::NoPassphrase)?) };
    let (secret, public) = new_pair(passphrase).map_err(SignatureRefusal::NotMade)?;
    secret_file.write_secret(secret.as_bytes())?;
    public_file.write(public.as_bytes())?;
    let secret = Fact::new(
        "secret key",
        format!(
            "{}; keep it where nobody else can read it: whoever has it{} can sign releases in your name",
            shown(&arguments.file),
            if arguments.no_passphrase { "" } else { " and the passphrase" }
        ),
    );
    let public = Fact::new(
        "public key",
        format!(
            "{}; publish it where readers can trust that it is yours, such as the page of your institution",
            shown(public_file.path())
        ),
    );
    let next = Fact::new(
        "next",
        "`dpfda release ... --sign FILE` signs a release; `dpfda verify RELEASE.json --key FILE.pub` checks it, and so does \
         `minisign -V -m release.json -p FILE.pub`.",
    );
    Ok(listed(&[secret, public, next], arguments.answer.json)?)
}
