//! The installed version of a harness.

use muster_core::installed_version;
use muster_testkit::Stage;

const FIXTURE: &str = "\
//- /opt/agent/package.json
{\"name\": \"@acme/agent\", \"version\": \"1.2.3\"}
//- /opt/agent/bin/agent.js
";

fn stage() -> Stage {
    let stage = Stage::new(FIXTURE).env("PATH", "/nowhere::/usr/bin");
    stage.tree.link("/usr/bin/agent", "/opt/agent/bin/agent.js");
    stage
}

#[test]
fn the_package_around_the_program_on_path_tells() {
    let stage = stage();
    assert_eq!(
        installed_version(&stage.world(), "agent", "@acme/agent").as_deref(),
        Some("1.2.3")
    );
}

#[test]
fn another_package_or_no_program_tells_nothing() {
    let stage = stage();
    assert_eq!(
        installed_version(&stage.world(), "agent", "@other/agent"),
        None
    );
    assert_eq!(
        installed_version(&stage.world(), "other", "@acme/agent"),
        None
    );
}
