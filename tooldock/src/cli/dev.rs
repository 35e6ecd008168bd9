//! `tooldock-core dev`: a folder, served on this machine.

use std::{fs, path::Path};

use tooldock_secrets::{Key, RealDisk, replace};

use super::{
    Failure,
    announce::{Greeting, TokenSource},
    args::DevArguments,
    core::{Core, tools_folder},
    door::Entrance,
    log, volume,
};
use crate::{
    config::{CoreSettings, Environment, KeyNeed, ProcessEnvironment, Sources},
    http::{Bearer, Token, Tokens},
};

pub(super) async fn dev(arguments: &DevArguments) -> Result<(), Failure> {
    let data = &arguments.data_dir;
    fs::create_dir_all(data)
        .map_err(|error| Failure::Run(format!("cannot make `{}`: {error}", data.display())))?;
    let secrets = DevTokens::find(arguments, &ProcessEnvironment)?;
    let bearer = if arguments.anonymous {
        Bearer::anonymous()
    } else {
        Bearer::new(Tokens::new([secrets.bearer()?]))
    };
    let (sources, _) = Sources::load(arguments.flags(), &ProcessEnvironment)?;
    let manager = Tokens::new([secrets.manager()?]);
    let settings = CoreSettings::read_dev(
        &sources,
        bearer,
        manager,
        arguments.port,
        KeyNeed::Given(secrets.key()?),
    )?;
    log::init(&settings.log)?;
    let folder = tools_folder(arguments.folder.as_deref(), data)?;
    let core = Core::build(settings, folder, None)?;
    let token = if arguments.anonymous {
        TokenSource::None
    } else {
        secrets.source
    };
    let _volume = volume::take(data, None)?;
    core.serve(Entrance::default(), None, async |core| {
        Greeting { core, token: &token }.print().await;
    })
    .await
}

/// The two tokens and the key of the secrets of a development server.
struct DevTokens {
    bearer: String,
    manager: String,
    key: String,
    source: TokenSource,
}

impl DevTokens {
    /// Finds or makes them, and writes them into `<data>/dev.env`, which only its owner can read.
    fn find(arguments: &DevArguments, environment: &dyn Environment) -> Result<Self, Failure> {
        let file = arguments.data_dir.join("dev.env");
        let kept = fs::read_to_string(&file).unwrap_or_default();
        let kept = |name: &str| {
            kept.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
                .map(str::to_owned)
        };
        let set = environment.get("BEARER_TOKEN").ok().flatten();
        let (bearer, source) = match (&arguments.token_file, set, kept("BEARER_TOKEN")) {
            (Some(path), _, _) => (read_token(path)?, TokenSource::Given),
            (None, Some(token), _) => (token, TokenSource::Given),
            (None, None, kept) => {
                let token = kept.map_or_else(random, Ok)?;
                (
                    token.clone(),
                    TokenSource::Made {
                        token,
                        file: file.clone(),
                    },
                )
            }
        };
        let manager = kept("MANAGER_INTERNAL_TOKEN").map_or_else(random, Ok)?;
        let key = kept("SECRETS_KEY").map_or_else(random, Ok)?;
        let tokens = Self {
            bearer,
            manager,
            key,
            source,
        };
        tokens.write(&file)?;
        Ok(tokens)
    }

    fn write(&self, file: &Path) -> Result<(), Failure> {
        let text = format!(
            "BEARER_TOKEN={0}\nMANAGER_INTERNAL_TOKEN={1}\nTOOLDOCK_TOKEN={0}\nSECRETS_KEY={2}\n",
            self.bearer, self.manager, self.key
        );
        if fs::read_to_string(file).is_ok_and(|kept| kept == text) {
            return Ok(());
        }
        let written = replace(&RealDisk, file, text.as_bytes());
        written.map_err(|error| Failure::Run(format!("cannot write `{}`: {error}", file.display())))
    }

    fn bearer(&self) -> Result<Token, Failure> {
        Token::new("dev", &self.bearer)
            .map_err(|error| Failure::Run(format!("the token that clients send: {error}")))
    }

    fn key(&self) -> Result<Key, Failure> {
        Key::new(self.key.clone().into_bytes())
            .map_err(|error| Failure::Run(format!("the key of the secrets in dev.env: {error}")))
    }

    fn manager(&self) -> Result<Token, Failure> {
        Token::new("manager", &self.manager)
            .map_err(|error| Failure::Run(format!("the manager token: {error}")))
    }
}

fn read_token(path: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(path).map_err(|error| {
        Failure::Run(format!(
            "cannot read the token file `{}`: {error}",
            path.display()
        ))
    })?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

/// 256 bits of the system's generator, as 64 hexadecimal digits.
pub(super) fn random() -> Result<String, Failure> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Run(format!("the system gives no random bytes: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
