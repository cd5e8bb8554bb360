//! Real command lines, addresses and hostile ones: what of them is printed.

use muster_document::{Masked, Secret};

fn masked(words: &[&str]) -> Vec<String> {
    let secrets: Vec<Secret> = words.iter().map(|word| Secret::new(*word)).collect();
    Masked::command_line(&secrets)
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Checks command lines written with `¦` between the words.
fn check(cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        let words: Vec<&str> = line.split('¦').collect();
        assert_eq!(masked(&words).join("¦"), *expected, "{line}");
    }
}

/// Checks command lines, written with blanks between the words, that hold no secret.
fn stays(lines: &[&str]) {
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(masked(&words).join(" "), *line);
    }
}

#[test]
fn ordinary_commands_stay_readable() {
    stays(&[
        "npx -y @modelcontextprotocol/server-filesystem /home/me/work",
        "npx -y @acme/db@1.2.3",
        "npx --yes --package=@acme/db acme-db",
        "npx -y @playwright/mcp@latest --headless --browser=chromium --viewport-size=1280,720",
        "npx -y chrome-devtools-mcp@latest --isolated=true",
        "npx -y @upstash/context7-mcp",
        "npx -y mcp-server-kubernetes-k8s-tools",
        "uvx mcp-server-git --repository .",
        "uvx mcp-server-postgres2==1.0.12",
        "uvx --from mcp-server-time[cli]>=2 mcp-server-time --local-timezone Europe/Berlin",
        "uv run --directory /home/me/src/server2 server.py",
        "uv --directory ./servers/weather run weather.py",
        "docker run -i --rm ghcr.io/github/github-mcp-server",
        "docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server:v0.20.1",
        "docker run -i --rm --network=host -v /home/me/data:/data:ro -p 8080:80 --user 1000:1000 mcp/postgres:16",
        "docker exec -i my-container node /app/index.js",
        "node ./dist/index.js --port 3000",
        "node --max-old-space-size=4096 /opt/server/build/main.mjs",
        "python3 -m my_server --config ./config.json",
        "python -u C:\\Users\\me\\server\\main.py",
        "C:\\Program/Files/nodejs/node.exe index.js",
        "bunx mcp-remote http://localhost:3000/sse --allow-http",
        "mcp-remote https://mcp.example.com/mcp --transport http-only",
        "deno run --allow-net --allow-read=/home/me jsr:@acme/server",
        "java -Xmx512m -jar /opt/mcp/server-1.2.3-all.jar",
        "/usr/bin/env bash -lc ./run.sh",
        "cmd /c npx -y @acme/db",
        "go run github.com/acme/server@v1.2.3",
        "cargo run --release --bin my-server -- --log-level=debug",
        "php artisan mcp:start boost",
        "dotnet run --project ./src/Server.csproj",
        "ssh -T git@github.com ./server",
        "server --toolsets repos,issues,pull_requests,code_security --read-only",
        "server --db ./data/app.sqlite3 --table users --limit 100",
        "server --host 127.0.0.1 --port=8080 --path=/mcp --timeout 30s",
        "server --name my-server --region us-east-1 --model gpt-4o",
        "server ${HOME}/x $HOME ${X:-d} ~ ~root/x --p=~/x {file:./sec.txt} {env:NOPE}",
        "server --token ${TOKEN} --api-key=$API_KEY --password {env:PW} --secret <secret> --key YOUR_KEY_HERE",
        "codex -c mcp_servers.x.enabled=false mcp list --json",
    ]);
}

#[test]
fn values_of_secret_flags() {
    check(&[
        ("x¦--token¦abc¦z", "x¦--token¦•••¦z"),
        (
            "x¦--api-key¦abc¦--apikey¦def¦--api_key¦ghi",
            "x¦--api-key¦•••¦--apikey¦•••¦--api_key¦•••",
        ),
        (
            "x¦--API-KEY=abc¦-token=def¦--password:ghi",
            "x¦--API-KEY=•••¦-token=•••¦--password:•••",
        ),
        (
            "x¦--client-secret¦a b¦-token¦abc",
            "x¦--client-secret¦•••¦-token¦•••",
        ),
        (
            "x¦--auth¦abc¦--auth-scheme=x¦--authToken¦y",
            "x¦--auth¦•••¦--auth-scheme=•••¦--authToken¦•••",
        ),
        (
            "x¦--key¦-abc¦--key¦--verbose¦y",
            "x¦--key¦•••¦--key¦--verbose¦y",
        ),
        ("x¦--token¦Bearer¦abc", "x¦--token¦Bearer¦•••"),
        ("x¦--token=${A:-abc}", "x¦--token=${A:-•••}"),
        ("x¦--token¦${A}abc", "x¦--token¦•••"),
        ("x¦--token abc def", "x¦--token ••• def"),
        ("x¦/token:abc", "x¦/token:•••"),
        ("x¦token=abc¦apiKey:def", "x¦token=•••¦apiKey:•••"),
    ]);
}

#[test]
fn variables() {
    check(&[
        (
            "docker¦run¦-e¦LOG=abc¦-eA=b¦--env¦C=d¦--env=E=f¦img",
            "docker¦run¦-e¦LOG=•••¦-eA=•••¦--env¦C=•••¦--env=E=•••¦img",
        ),
        ("x¦-e¦A=b¦C=d¦run", "x¦-e¦A=•••¦C=•••¦run"),
        ("env¦A=b¦node¦x.js", "env¦A=•••¦node¦x.js"),
        (
            "x¦DB_PASSWORD=abc¦LEVEL=debug",
            "x¦DB_PASSWORD=•••¦LEVEL=debug",
        ),
        ("x¦-e¦A=${A}¦-e¦B=$B", "x¦-e¦A=${A}¦-e¦B=$B"),
        (
            "codex¦-c¦mcp_servers.x.env.FOO=abc",
            "codex¦-c¦mcp_servers.x.env.FOO=•••",
        ),
    ]);
}

#[test]
fn headers_and_schemes() {
    check(&[
        (
            "x¦--header¦X-Foo: a b¦-H¦Y:c¦--header=Z: d¦-HW: e",
            "x¦--header¦X-Foo: •••¦-H¦Y:•••¦--header=Z: •••¦-HW: •••",
        ),
        (
            "x¦--header¦Authorization:${AUTH}",
            "x¦--header¦Authorization:${AUTH}",
        ),
        (
            "x¦-H¦Authorization: Bearer ${T}",
            "x¦-H¦Authorization: Bearer ${T}",
        ),
        ("x¦-H¦hunter2", "x¦-H¦•••"),
        (
            "x¦-H¦Authorization:¦Bearer¦abc¦def¦--port¦1",
            "x¦-H¦Authorization:¦Bearer¦•••¦•••¦--port¦1",
        ),
        (
            "x¦-H¦Authorization:¦Bearer¦AAA://!0¦--port¦1",
            "x¦-H¦Authorization:¦Bearer¦•••¦--port¦1",
        ),
        ("x¦-H¦Authorization:¦AAA://!0", "x¦-H¦Authorization:¦•••"),
        ("x¦Authorization: Bearer abc", "x¦Authorization: •••"),
        (
            "x¦authorization=abc¦Cookie: a=b; c=d",
            "x¦authorization=•••¦Cookie: •••",
        ),
        ("x¦Bearer abc", "x¦Bearer •••"),
        ("x¦Bearer¦abc¦basic¦def", "x¦Bearer¦•••¦basic¦•••"),
        (
            "x¦--headers¦{\"X-A\":\"b\"}",
            "x¦--headers¦{\"X-A\":\"•••\"}",
        ),
    ]);
}

#[test]
fn addresses_in_arguments() {
    check(&[
        (
            "mcp-remote¦https://u:p@h.example/x/sse?k=v#f",
            "mcp-remote¦https://•••:•••@h.example/•••/sse?•••#•••",
        ),
        (
            "x¦--url=https://h.example/abc",
            "x¦--url=https://h.example/•••",
        ),
        (
            "x¦postgresql://me:pw@localhost/shop",
            "x¦postgresql://•••:•••@localhost/•••",
        ),
        (
            "x¦jdbc:postgresql://h.example:5432/shop?password=x",
            "x¦jdbc:postgresql://h.example:5432/•••?•••",
        ),
        ("x¦me:pw@h.example:5432", "x¦•••:•••@h.example:5432"),
        ("curl¦-u¦me:pw", "curl¦-u¦me:•••"),
        (
            "x¦Server=h;Uid=me;Password=a;b",
            "x¦Server=h;Uid=me;Password=•••",
        ),
    ]);
}

#[test]
fn words_that_look_like_keys() {
    check(&[
        (
            "x¦sk-abc¦ghp_abc¦xoxb-1-2¦AKIAIOSFODNN7EXAMPLE",
            "x¦•••¦•••¦•••¦•••",
        ),
        ("x¦--foo=sk-abc¦a,ghp_abc", "x¦--foo=•••¦a,•••"),
        ("x¦0123456789abcdef0123456789abcdef", "x¦•••"),
        ("x¦qk:8f3j2k9d0s7a6q5w4e", "x¦•••"),
        ("x¦--opt=8f3j2k9d0s7a6q5w4e3r", "x¦--opt=•••"),
    ]);
}

#[test]
fn text_inside_text() {
    check(&[
        (
            "sh¦-c¦curl -H 'Authorization: Bearer abc' https://u:p@h/x",
            "sh¦-c¦curl -H 'Authorization: •••' https://•••:•••@h/•••",
        ),
        (
            "sh¦-c¦TOKEN=abc LEVEL=x exec npx -y @acme/db --key \"a b\"",
            "sh¦-c¦TOKEN=••• LEVEL=••• exec npx -y @acme/db --key \"•••\"",
        ),
        (
            "sh¦-c¦sh -c \"x --token 'a b'\"",
            "sh¦-c¦sh -c \"x --token '•••'\"",
        ),
        (
            "x¦--config¦{\"token\":\"abc\",\"n\":1}",
            "x¦--config¦{\"token\":\"•••\",\"n\":1}",
        ),
        (
            "x¦--config={\"a\":{\"password\":\"b\"}}",
            "x¦--config={\"a\":{\"password\":\"•••\"}}",
        ),
        (
            "npx -y @acme/db --api-key abc",
            "npx -y @acme/db --api-key •••",
        ),
    ]);
}

#[test]
fn values_are_hidden_unless_they_are_references() {
    let cases = [
        ("abc", "•••"),
        ("", "•••"),
        ("<token>", "•••"),
        ("${X}", "${X}"),
        ("$X", "$X"),
        ("Bearer ${X}", "Bearer ${X}"),
        ("{env:X}", "{env:X}"),
        ("Bearer ${X:-abc}", "Bearer ${X:-•••}"),
        ("${X}abc", "•••"),
    ];
    for (value, expected) in cases {
        let expected = if value.is_empty() { "" } else { expected };
        assert_eq!(
            Masked::value(&Secret::new(value)).as_str(),
            expected,
            "{value}"
        );
    }
}

#[test]
fn foreign_characters_are_neutralised() {
    assert_eq!(
        masked(&["a\u{202e}b\n", "\u{1b}[2J"]),
        ["a\\u{202e}b\\n", "\\u{1b}[2J"]
    );
}

#[test]
fn flags_and_words_that_a_password_follows() {
    check(&[
        ("x¦--pwd¦hunter2", "x¦--pwd¦•••"),
        ("x¦--pwd=hunter2", "x¦--pwd=•••"),
        ("x¦--connection-string¦hunter2", "x¦--connection-string¦•••"),
        ("x¦--keyring¦hunter2", "x¦--keyring¦•••"),
        ("x¦--tokens¦hunter2", "x¦--tokens¦•••"),
        ("x¦token¦hunter2", "x¦token¦•••"),
        ("x¦token¦=¦hunter2", "x¦token¦=¦•••"),
        ("x¦token¦create¦a1", "x¦token¦create¦a1"),
        ("x¦token¦./a1.txt¦b", "x¦token¦./a1.txt¦b"),
        ("x¦--k=${V:-hunter2}", "x¦--k=${V:-•••}"),
        ("x¦${V:-hunter2}", "x¦${V:-•••}"),
        ("x¦--region=${R:-us-east-1}", "x¦--region=${R:-us-east-1}"),
        ("x¦--port=${P:-8080}", "x¦--port=${P:-8080}"),
        ("claude¦--mcp-config¦\"hunter2\"", "claude¦--mcp-config¦•••"),
        ("claude¦--mcp-config=\"hunter2\"", "claude¦--mcp-config=•••"),
        (
            "claude¦--mcp-config¦mcp2.json",
            "claude¦--mcp-config¦mcp2.json",
        ),
    ]);
}

#[test]
fn what_of_a_path_can_be_read() {
    for (path, expected) in [
        ("/nope/x?token=hunter2", "/nope/x?•••"),
        ("/nope/x?hunter2", "/nope/x?•••"),
        ("/nope/token=hunter2/x", "/nope/token=•••"),
        ("/w/\"hunter2\"", "/w/\"•••"),
        (
            "/home/me/my project@2/a=b/.mcp.json",
            "/home/me/my project@2/a=b/.mcp.json",
        ),
        ("\\\\?\\C:\\Users\\me", "\\\\?\\C:\\Users\\me"),
    ] {
        assert_eq!(Masked::path(&Secret::new(path)).as_str(), expected);
    }
}
