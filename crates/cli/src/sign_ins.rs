//! The sign-ins that are kept on this machine: what `muster login` writes, and whatever calls servers over HTTP reads.

use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use muster_client::net::Net;
use muster_client::oauth::{Account, Held, Keeper, KeeperError, SignIns};
use muster_document::Secret;
use muster_store::Vault;

use crate::args::Common;
use crate::world::Scene;

/// The folder of sign-ins in Muster's own.
const FOLDER: &str = "sign-ins";

/// The sign-ins in Muster's own folder, or in the keyring of this machine's user; `None` where there is no home to keep anything in.
pub(crate) fn sign_ins(scene: &Scene<'_>, common: &Common, net: Net) -> Option<SignIns> {
    // The keyring is this user's, not another home's, nor a made-up one's.
    let own = common.home.is_none() && scene.world().system_root.is_none();
    let vault = Vault::new(scene.state_folder(common)?.join(FOLDER), own);
    Some(SignIns {
        net,
        keeper: Arc::new(VaultKeeper(vault)),
        now: Arc::new(now),
    })
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Keeps sign-ins in a vault.
#[derive(Debug)]
struct VaultKeeper(Vault);

impl Keeper for VaultKeeper {
    fn load(&self, account: &Account) -> Result<Option<Secret>, KeeperError> {
        self.0.load(account.as_str()).map_err(failed)
    }

    fn save(&self, account: &Account, text: &Secret) -> Result<(), KeeperError> {
        self.0.save(account.as_str(), text).map_err(failed)
    }

    fn remove(&self, account: &Account) -> Result<(), KeeperError> {
        self.0.remove(account.as_str()).map_err(failed)
    }

    fn lock(&self, account: &Account, patience: Duration) -> Result<Held, KeeperError> {
        match self.0.lock(account.as_str(), patience) {
            Ok(Some(lock)) => Ok(Box::new(lock)),
            Ok(None) => Err(KeeperError::Busy),
            Err(error) => Err(failed(error)),
        }
    }
}

fn failed(error: io::Error) -> KeeperError {
    KeeperError::Failed(error.to_string())
}
