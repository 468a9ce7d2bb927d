package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/config"
)

// TestConfigurationDocument: the table in the documentation is made of the same
// list of keys as the decoder. go test ./internal/cli -run Document -update
func TestConfigurationDocument(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "configuration.md")
	want := configurationDocument()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")))); d != "" {
		t.Errorf("%s is not current; run with -update (-want +got):\n%s", path, d)
	}
}

const configurationIntro = `# Configuration

<!-- Written by: go test ./internal/cli -run Document -update -->

` + "`ralph.yaml`" + ` stands at the root of the repository. Every key but ` + "`version`" + ` is optional. A mistake is refused
with file, line, column and a suggestion, all mistakes at once; a number is obeyed or refused, never adjusted.
` + "`ralph init`" + ` writes a first one.

` + "```yaml\n" + configurationExample + "```" + `

Five layers are laid over each other, key by key; ` + "`ralph config show --origin`" + ` tells which one gave a value:

1. flags of the command line;
2. environment variables: ` + "`RALPH_`" + ` and the key in capitals, with ` + "`_`" + ` for ` + "`.`" + ` and ` + "`-`" + `:
   ` + "`RALPH_LIMITS_MAX_ITERATIONS=3`" + ` for every key but ` + "`version`" + `;
3. ` + "`ralph.yaml`" + `, or the file that ` + "`--config`" + ` names;
4. the person's own ` + "`$XDG_CONFIG_HOME/ralph/config.yaml`" + ` (` + "`~/.config/ralph/config.yaml`" + `);
5. the built-in values below.

Gates are frozen when a loop starts: a later change of the file changes nothing for it.

## A repository's file is not yours

A repository can come from anywhere, so its ` + "`ralph.yaml`" + ` is not believed:

- **What it runs, sends or opens has to be allowed once.** That is every gate's command, set-up, agent, reviewer and
  ` + "`env`" + `; ` + "`base_url`, `key_env`" + ` and ` + "`provider`" + `; ` + "`sandbox: off`, `sandbox_write`, `permissions: skip`" + `, prices and the like. A
  command that would act on it asks at a terminal and lists each of them by its key; without a terminal it ends with
  exit code 64. ` + "`ralph trust`" + ` shows and allows it, ` + "`ralph trust --list`" + ` tells what is allowed on this machine,
  ` + "`ralph trust --revoke`" + ` takes it back. ` + "`ralph init`" + ` allows what it writes.
- **Exactly this content is allowed**, for this repository, on this machine. A change asks again and shows what changed.
  Programs and scripts in the repository that an agent's command line or environment names, and prompt templates, are
  part of it, in the tree and in the commit at HEAD, also after ` + "`cd FOLDER`" + ` and as ` + "`python3 -m NAME`, `python3 FOLDER`" + ` and
  ` + "`node FOLDER`" + ` find them. What these load in turn, such as imports, and targets of make or npm, are not. Scripts that gates
  and set-up run are not either, nor is a ` + "`Makefile`" + ` or ` + "`package.json`" + ` behind ` + "`make test`" + ` or ` + "`npm test`" + `: a gate runs the code of the
  repository, without keys, also after a pull that changed it. Comments, limits and budgets ask nothing. What is invisible in
  a command or a name is shown as an escape, such as ` + "`\\u200b`" + `.
- **What judges less strictly asks again**: a gate that is gone, soft, optional or has another ` + "`kind`" + `, ` + "`parse`" + ` or ` + "`report`" + `, a lower
  ` + "`threshold`" + `, ` + "`proof: none`" + `, ` + "`learn: on`" + `, ` + "`if_green: stop`" + `, fewer words in ` + "`refuse`" + `, an open ` + "`sandbox`" + ` and everything else with
  a say in verdicts. The question names each with its former value. A stricter file asks nothing.
- **It tightens your own settings and never loosens them.** Where your own file says ` + "`sandbox: require`" + `, a repository's
  ` + "`sandbox: off`" + ` changes nothing. The same holds for limits, budgets, reviews, the level and network of gates, and
  everything else with an order. Where there is none, such as the command of a gate or ` + "`accept.strategy`" + `, your value
  stays. A gate or an agent that your own file names is yours as a whole: what you leave out there, such as a timeout or
  retries, is not loosened over the built-in value either. ` + "`ralph config show`" + ` and ` + "`ralph doctor`" + ` list what was kept so.
- **In CI** there is no terminal to ask at: ` + "`--trust`" + ` or ` + "`RALPH_TRUST=1`" + ` allows everything for one call, and
  ` + "`RALPH_TRUST=sha256:…`" + `, as ` + "`ralph trust`" + ` prints it, one content.

What you type needs no permission (` + "`--until`" + `, ` + "`--agent-cmd`" + ` and other flags, variables), nor do your own file, a file
outside of the repository that ` + "`--config`" + ` names, and commands that only read, such as ` + "`status`" + `, ` + "`show`" + `, ` + "`doctor`" + ` and
` + "`run --dry-run`" + `. A flag replaces a part of the file, and the permission is for the file as a whole: ` + "`ralph run \"…\" --until \"…\"`" + `
beside a ` + "`ralph.yaml`" + ` that is not allowed asks all the same, since its set-up, agents, reviews and notifications still
apply. ` + "`--config FILE`" + ` outside of the repository leaves it out. ` + "`ralph doctor --agent NAME`" + ` starts a program, with ` + "`--try`" + ` the
whole agent: where the repository's file defines it, the file has to be allowed first.

The loops of a repository are bound to it and to the machine. After ` + "`cp -r`" + `, in an unpacked archive or a restored
backup, or on another disk they are shown and do not run: ` + "`ralph trust --store`" + ` shows their commands and adopts them. That holds
at the place of the original, too, on Linux with a file system that tells when a folder was made (ext4, xfs, btrfs). A repository
that was renamed or moved on one disk is recognised.

` + secretsDocument + `
## For editors

` + "`ralph config schema`" + ` prints a JSON Schema. An editor with the YAML language server uses it after
` + "`ralph config schema > .git/ralph.schema.json`" + ` and this first line in ` + "`ralph.yaml`" + `:

` + "```yaml" + `
# yaml-language-server: $schema=.git/ralph.schema.json
` + "```" + `
`

const configurationExample = `version: 1
gates:
  tests: {run: go test ./..., min_tests: 1}
  lint: {run: golangci-lint run, level: soft}
  coverage: {run: go test -coverprofile=c.out ./..., report: c.out, threshold: 80}
`

// TestConfigurationIntro: what the text above promises.
func TestConfigurationIntro(t *testing.T) {
	t.Parallel()
	if _, err := config.Resolve(config.Sources{Project: &config.Source{Name: "example", Data: []byte(configurationExample)}}); err != nil {
		t.Error(err)
	}
	for _, k := range config.Keys() {
		want := "RALPH_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(k.Path))
		if k.Path == "version" {
			want = ""
		}
		if k.Env != want {
			t.Errorf("%s: the variable is %q, want %q", k.Path, k.Env, want)
		}
	}
}

func configurationDocument() []byte {
	var b bytes.Buffer
	b.WriteString(configurationIntro)
	section := "-"
	for _, k := range config.Keys() {
		top, _, nested := strings.Cut(k.Path, ".")
		if !nested {
			top = ""
		}
		if top != section {
			if section == "isolation" {
				b.WriteString(environmentDocument)
			}
			section = top
			fmt.Fprintf(&b, "\n## %s\n\n| key | takes | built in | meaning |\n|---|---|---|---|\n", sectionTitle(top, k.Path))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(k.Path), cell(k.Shape), code(k.Default), cell(k.Doc))
	}
	return b.Bytes()
}

func sectionTitle(top, path string) string {
	switch {
	case top != "":
		return "`" + top + "`"
	case path == "version":
		return "The file"
	}
	return "Around the gates"
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(s)
}

const secretsDocument = `## Secrets

A secret is the value of a variable whose name marks one, or that a ` + "`key_env`" + ` names; the password of an address in any
variable (` + "`DATABASE_URL=postgres://user:password@host`" + `); a key or token of a well-known form (the rules of gitleaks); or a
private key. A name marks one that has ` + "`TOKEN`" + `, ` + "`SECRET`" + `, ` + "`PASSWORD`" + `, ` + "`PASSWD`" + `, ` + "`PASSPHRASE`" + `, ` + "`CREDENTIAL`" + `, ` + "`API_KEY`" + `, ` + "`APIKEY`" + `,
` + "`PRIVATE_KEY`" + `, ` + "`ACCESS_KEY`" + `, ` + "`SIGNING_KEY`" + `, ` + "`ENCRYPTION_KEY`" + ` or ` + "`_AUTH`" + ` in it, that ends in ` + "`_PASS`" + `, ` + "`_JWT`" + ` or ` + "`_COOKIE`" + `, or that
is ` + "`JWT`" + `, ` + "`SSHPASS`" + ` or ` + "`MYSQL_PWD`" + `. Values under 8 characters are never secrets, since they stand in ordinary words; nor are
passwords of addresses that are a word of up to 11 lower-case letters or stand in the address twice (` + "`postgres`" + `).

In what agents, gates and reviewers print, in patches, in what reviewers are shown, and in questions, disputes and notes
(` + "`ralph ask`" + `, ` + "`loop publish --note`" + `, ` + "`learn add`" + `), ` + "`(key)`" + ` stands in the place of a secret. Colours and other sequences of a
terminal, control characters, characters without a width, and escapes of JSON inside of a secret do not hide it.

` + "`secrets`" + ` decides about one that the commits of a loop add, in files, their names, messages, and names and addresses of
authors. It is named by rule, file and line, never by its value:

- ` + "`warn`" + `: a note of the attempt; ` + "`report`" + `, ` + "`show`" + ` and the list that ` + "`accept`" + ` asks about have it (` + "`--allow secrets`" + `).
- ` + "`block`" + `: the attempt fails before any gate runs, with ` + "`secrets`" + ` as its gate, and the next prompt says what to remove.
- ` + "`off`" + `: nothing is searched.

All commits since the base count, ralph's own of earlier attempts too, because ` + "`accept`" + ` merges them: a secret that a later
commit removes is still in the history. The agent is told to put the branch back to the base and to leave its changes
uncommitted; ralph commits them anew, and the list of ` + "`accept`" + ` names the rewritten history. With ` + "`--in-place`" + ` the agent has
no branch to put back: begin a new loop once the file is clean. Your uncommitted changes count too where ` + "`--with-changes`" + `
takes them along: ` + "`block`" + ` ends the loop before its first attempt and leaves your files as they are. More than 32 MB of changes are not searched, and that
counts as a secret. A secret that is encoded, or that no rule describes, is not found. Of loops that an
agent drives itself, the commit of the final verification is searched. The text of a task and the ` + "`env`" + ` of agents are kept as you type them.
`

// environmentDocument follows the keys of isolation.
const environmentDocument = `
Agents, reviewers, gates, set-up and teardown of a loop that ralph runs find what is the loop's own on the machine in
their environment:

| variable | meaning |
|---|---|
| ` + "`" + `RALPH_SLOT` + "`" + ` | the loop's number, from 1, among the user's loops that run on this machine, of all repositories; a resumed loop gets its old one while that is free |
| ` + "`" + `RALPH_PORT_BASE` + "`" + ` | the first of 20 ports that no other loop has: 20000 for slot 1, 20020 for slot 2, up to 27999. Other programs, and other users, may use them |
| ` + "`" + `RALPH_DB_SUFFIX` + "`" + ` | an ending for names of databases and containers, made of the loop's id: ` + "`" + `_fix_tests_b51b` + "`" + ` |

A slot belongs to the process that runs the loop: one that dies frees it, and it is given to others last until its loop
has ended. A service that outlives a command is started by a daemon (` + "`" + `docker compose -p "app$RALPH_DB_SUFFIX" up -d` + "`" + `,
` + "`" + `createdb "app$RALPH_DB_SUFFIX"` + "`" + `): processes that a set-up command leaves behind are ended with it. ` + "`" + `setup` + "`" + ` also runs
once in the tree of the gates, and there again for work that changes a manifest or a lock file ([clean rooms](sandbox.md#clean-rooms)),
so its commands must be repeatable. A loop in place runs neither for the user's tree.
`
