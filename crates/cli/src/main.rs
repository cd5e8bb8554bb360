//! `muster`: which MCP servers load in a session started here, in which coding agent, and why.
//!
//! The binary wires: arguments become a request, the process becomes a world, a command answers with a page, and one module prints it.

mod args;
mod commands;
mod demo_server;
mod error;
mod exit;
mod hand;
mod launch;
mod output;
mod sign_ins;
mod world;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Muster starts itself to watch over servers: that process does nothing else, and is there within milliseconds.
    #[cfg(unix)]
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == muster_client::process::SUPERVISE)
    {
        return muster_client::process::supervise();
    }
    let mut words = std::env::args_os()
        .skip(1)
        .filter_map(|word| word.into_string().ok());
    if words
        .next()
        .is_some_and(|word| word == demo_server::DEMO_SERVER)
    {
        return demo_server::serve(&words.collect::<Vec<_>>());
    }
    exit::own_up_to_panics();
    let args = match args::Args::read(std::env::args_os()) {
        Ok(args) => args,
        Err(refusal) => return output::refusal(&refusal),
    };
    let output = output::Output::new(&args.common);
    let done = commands::run(&args, &output).and_then(|answer| {
        let page = answer.page.as_ref();
        page.map_or(Ok(()), |page| output.write(page))?;
        Ok(answer.code)
    });
    match done {
        Ok(code) => code.into(),
        Err(error) => output.failure(&error),
    }
}
