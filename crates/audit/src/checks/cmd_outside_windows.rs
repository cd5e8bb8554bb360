//! Windows' command interpreter, elsewhere.

use muster_core::{Audience, Check, Confidence, Example, Finding, Platform, Severity};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "cmd-outside-windows",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "`cmd /c` where there is no cmd",
    explanation: "On Windows many agents can start `npx` only through `cmd /c`, for it is a batch file there. In a file that came from \
        Windows, by a synchronised folder or a repository, that wrapper starts nothing on Linux and macOS. In WSL it starts the program \
        of Windows, which sees neither the Linux environment nor its paths.",
    help: "Take `cmd` and `/c` away and make what follows the command. Keep a file of its own for Windows.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: "~/.claude.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "cmd", "args": ["/c", "npx", "-y", "@acme/db"] }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db"] }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    if subject.account.world.platform == Platform::Windows || !subject.may_start() {
        return;
    }
    let entry = subject.entry();
    let (Some(command), Some(first)) = (&entry.command, entry.args.first()) else {
        return;
    };
    let switch = first.value.expose();
    if subject.base_name() == "cmd" && matches!(switch, "/c" | "/C" | "/k" | "/s" | "/d") {
        let finding = subject
            .finding(
                &CHECK,
                "`cmd /c` starts programs on Windows, and this is another system",
            )
            .with_help("take `cmd` and `/c` away: what follows is the command")
            .at(command.place.as_ref());
        found.push(finding);
    }
}
