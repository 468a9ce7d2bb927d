package suspect

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestProgramsOfTheSystem: an added program of the name of one by which scripts judge is named.
func TestProgramsOfTheSystem(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		base, changes prooftest.Tree
		want          string
	}{
		"diff":               {prooftest.Tree{"bin/tax": "exec:#!/bin/sh\n"}, prooftest.Tree{"bin/diff": "exec:#!/bin/sh\nexit 0\n"}, "bin/diff " + takesPlace + " the program diff"},
		"another program":    {prooftest.Tree{"bin/tax": "exec:#!/bin/sh\n"}, prooftest.Tree{"bin/show": "exec:#!/bin/sh\nexit 0\n", "script/test": "exec:#!/bin/sh\nexit 0\n"}, ""},
		"a file without run": {prooftest.Tree{"bin/tax": "exec:#!/bin/sh\n"}, prooftest.Tree{"docs/diff": "Differences.\n", "diff/a.go": "package diff\n"}, ""},
		"one of the base":    {prooftest.Tree{"bin/diff": "exec:#!/bin/sh\n"}, prooftest.Tree{"bin/diff": "exec:#!/bin/sh\n# Compare.\n"}, ""},
		"a link":             {prooftest.Tree{"bin/tax": "exec:#!/bin/sh\n"}, prooftest.Tree{"bin/cmp": "link:tax"}, "bin/cmp " + takesPlace + " the program cmp"},
	} {
		k, s := change("sh check.sh", c.base, c.changes)
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if strings.Join(got, ", ") != c.want || err != nil {
			t.Errorf("%s: %q %v, want %q", what, got, err, c.want)
		}
	}
}

// TestShellWithoutErrors: a file that is read by a script of the gate can leave the shell so
// that commands that fail no longer end it.
func TestShellWithoutErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"tax() { :; }\nset +e\n":                   "2 " + changesCode,
		"set +eu\n":                                "1 " + changesCode,
		"set +o errexit\n":                         "1 " + changesCode,
		"f() {\n  set +e\n  a\n  set -e\n}\n":      "",
		"set +e\na\nset -o errexit\n":              "",
		"set +x\nset +o pipefail\necho 'set +e'\n": "",
		"alias [=true\n":                           "1 " + changesCode,
		"set -n\n":                                 "1 " + changesCode,
		"f; set -o noexec\n":                       "1 " + changesCode,
		"hash -p /bin/true diff\n":                 "1 " + changesCode,
		"enable -n test\n":                         "1 " + changesCode,
		"declare -n want=got\n":                    "1 " + changesCode,
		"set -eu\nhash -r\nf() {\n  local -n out=$1\n  declare -n in=$2\n}\n": "",
		"alias ll='ls -l'\n": "1 " + changesCode,
	} {
		if got := strings.Join(suspectsOf(t, "lib.sh", "", text), ", "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestShellEndsItsReader: a file that a script reads into itself can end the script with success.
func TestShellEndsItsReader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ script, text, want string }{
		{". ./lib.sh\ncheck\n", "exit\n", "lib.sh:1 " + endsProcess},
		{"source \"$(dirname \"$0\")/lib.sh\"\n", "f() { :; }\n[ -n \"$a\" ] && exit 0\n", "lib.sh:2 " + endsProcess},
		{"if . lib.sh; then check; fi\n", "exec true\n", "lib.sh:1 " + endsProcess},
		{". ./lib.sh\n", "die() { echo \"$1\"; exit 1; }\nexec 3>&1\n# exit 0\n", ""},
		{"sh lib.sh\n. ./other.sh\n", "main \"$@\"\nexit 0\n", ""},
	} {
		k, s := change("sh check.sh", prooftest.Tree{"check.sh": c.script, "lib.sh": "f() { :; }\n"}, prooftest.Tree{"lib.sh": c.text})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if strings.Join(got, ", ") != c.want || err != nil {
			t.Errorf("%q %q: %q %v, want %q", c.script, c.text, got, err, c.want)
		}
	}
}

// TestShellEndsItsTest: where a script of tests reads the file, an end outside of all blocks is
// told apart: nothing behind it is tested.
func TestShellEndsItsTest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reader, text, want string }{
		{"test.sh", "exec true\n", "lib.sh:1 " + endsJudge},
		{"tests/run.sh", "f() {\n  :\n}\nexit 0\n", "lib.sh:4 " + endsJudge},
		{"test.sh", "f() {\nexit 0\n}\n", "lib.sh:2 " + endsProcess},
		{"test.sh", "if [ -n \"$a\" ]; then\nexit\nfi\n", "lib.sh:2 " + endsProcess},
		{"test.sh", "[ -n \"$a\" ] && exit 0\n", "lib.sh:1 " + endsProcess},
		{"bin/greet", "exit 0\n", "lib.sh:1 " + endsProcess},
	} {
		k, s := change("sh check.sh", prooftest.Tree{c.reader: "exec:#!/bin/sh\n. ./lib.sh\ncheck\n", "lib.sh": "f() { :; }\n"}, prooftest.Tree{"lib.sh": c.text})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		if got := fmt.Sprint(found); got != "["+c.want+"]" || err != nil {
			t.Errorf("%s %q: %s %v, want %q", c.reader, c.text, got, err, c.want)
		}
	}
}
