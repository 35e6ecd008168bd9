//! Settings on the command line: one flag for each, made from the table of settings.

use std::{collections::BTreeMap, marker::PhantomData};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, error::Error};

use crate::config::{CONNECT_SETTINGS, SETTINGS, Setting};

/// A choice of settings.
pub(super) trait Table {
    fn settings() -> impl Iterator<Item = &'static Setting>;
}

/// The settings of the gateway.
#[derive(Debug, Clone, Default)]
pub(super) struct CoreTable;

/// The settings of `connect`.
#[derive(Debug, Clone, Default)]
pub(super) struct ConnectTable;

/// The settings of the manager. Its data folder has a flag that all commands of the program share.
#[cfg(feature = "manager")]
#[derive(Debug, Clone, Default)]
pub(super) struct ManagerTable;

impl Table for CoreTable {
    fn settings() -> impl Iterator<Item = &'static Setting> {
        SETTINGS.iter()
    }
}

impl Table for ConnectTable {
    fn settings() -> impl Iterator<Item = &'static Setting> {
        CONNECT_SETTINGS.iter()
    }
}

#[cfg(feature = "manager")]
impl Table for ManagerTable {
    fn settings() -> impl Iterator<Item = &'static Setting> {
        let all = crate::config::MANAGER_SETTINGS.iter().chain(SETTINGS);
        all.filter(|setting| setting.name != "DATA_DIR")
    }
}

/// What the command line says of the settings. Secrets have no flag: a command line can be read by others.
#[derive(Debug, Clone, Default)]
pub(super) struct SettingFlags<T = CoreTable>(pub(super) BTreeMap<String, String>, PhantomData<T>);

fn settings<T: Table>() -> impl Iterator<Item = &'static Setting> {
    T::settings().filter(|setting| !setting.secret)
}

/// `PORT` is set by `--port`.
fn flag(setting: &Setting) -> String {
    setting.name.to_ascii_lowercase().replace('_', "-")
}

impl<T: Table> Args for SettingFlags<T> {
    fn augment_args(command: Command) -> Command {
        let arguments = settings::<T>().map(|setting| {
            let default = if setting.default.is_empty() {
                String::new()
            } else {
                format!(" [default: {}]", setting.default)
            };
            Arg::new(setting.name)
                .long(flag(setting))
                .value_name("VALUE")
                .help(format!("{}{default}", setting.doc))
        });
        command.args(arguments)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: Table> FromArgMatches for SettingFlags<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |setting: &Setting| {
            Some((
                setting.name.to_owned(),
                matches.get_one::<String>(setting.name)?.clone(),
            ))
        };
        Ok(Self(settings::<T>().filter_map(given).collect(), PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_but_the_secret_ones_has_a_flag() {
        let command = SettingFlags::<CoreTable>::augment_args(Command::new("serve").no_binary_name(true));
        let matches = command
            .clone()
            .try_get_matches_from(["--port", "9000", "--argument-repair", "off"])
            .unwrap();
        let flags = SettingFlags::<CoreTable>::from_arg_matches(&matches).unwrap().0;
        assert_eq!(
            (
                flags["PORT"].as_str(),
                flags["ARGUMENT_REPAIR"].as_str(),
                flags.len()
            ),
            ("9000", "off", 2)
        );
        assert!(command.try_get_matches_from(["--bearer-token", "x"]).is_err());
    }
}
