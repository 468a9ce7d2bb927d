package addition

import "testing"

// TestShellCases: a call below one of the same form is one more case; what could change the others,
// or means something else, is none.
func TestShellCases(t *testing.T) {
	t.Parallel()
	const head = ". ./lib/text.sh\nfails=0\ncheck() {\n\tif [ \"$2\" = \"$3\" ]; then echo \"ok $1\"; else fails=1; fi\n}\n"
	const end = "exit $fails\n"
	const old = "check upper \"$(upper 'ab c')\" \"AB C\"\n"
	for added, want := range map[string]bool{
		"check title \"$(title \"hello wide world\")\" \"Hello Wide World\"\n": true,
		"check say \"$(bin/say hello you)\" 'HELLO YOU'\n":                     true,
		"check a \"$(title a)\" A\ncheck b \"$(title b)\" B\n":                 true,
		"check title \"$(title a)\" \"$(title b)\"\n":                          false,
		"check title \"$(title a; fails=0)\" A\n":                              false,
		"check title \"$(title $fails)\" A\n":                                  false,
		"check title \"$(title \"$(rm x)\")\" A\n":                             false,
		"check title \"$(cp lib/a.sh tests/test_b.sh)\" ''\n":                  false,
		"check title \"$(title a >tests/x)\" A\n":                              false,
		"check title \"$(title a)\" A || exit 0\n":                             false,
		"check title \"$(title a)\" A; exit 0\n":                               false,
		"check title \"$(title a)\" A &\n":                                     false,
		"check title \"$(title a)\" \\\n":                                      false,
		"check title A\n":                                                      false,
		"check -q \"$(title a)\" A\n":                                          false,
		"\tcheck title \"$(title a)\" A\n":                                     false,
		"echo title \"$(title a)\" A\n":                                        false,
		"fails=0\n":                                                            false,
		"check() { :; }\n":                                                     false,
		"reset title \"$(title a)\" A\n":                                       false,
		"check title \"$(title a)\" A # shellcheck disable=all\n":              false,
		"# more\ncheck title \"$(title a)\" A\n":                               false,
	} {
		if got := Only("tests/test_text.sh", []byte(head+old+end), []byte(head+old+added+end)); got != want {
			t.Errorf("%q is an addition: %v, want %v", added, got, want)
		}
	}
	const test = "[ \"$(upper ab)\" = \"AB\" ] || exit 1\n"
	for _, c := range []struct {
		base, work string
		want       bool
	}{
		{test + end, test + "[ \"$(title ab)\" = \"Ab\" ] || exit 1\n" + end, true},
		{test + end, test + "[ \"$(title ab)\" != \"Ab\" ] || exit 1\n" + end, false},
		{test + end, test + "[ \"$(title ab)\" = \"Ab\" ] || exit 0\n" + end, false},
		{test + end, test + "[ \"$(title ab)\" = \"Ab\" ] || true\n" + end, false},
		{test + end, "[ \"$(title ab)\" = \"Ab\" ] || exit 1\n" + end, false}, // the old one is gone
		{head + "check a \"$(a b)\" A || \\\nexit 1\n", head + "check a \"$(a b)\" A || \\\ncheck b \"$(b b)\" B || \\\nexit 1\n", false},
		{head + "check a \"$(a b)\" A ||\nexit 1\n", head + "check a \"$(a b)\" A ||\ncheck b \"$(b b)\" B ||\nexit 1\n", false},
		{head + "check a \"$(a b)\" A || {\nexit 1\n}\n", head + "check a \"$(a b)\" A || {\ncheck b \"$(b b)\" B || {\nexit 1\n}\n", false},
		{head + old + "\n# the last\nexit $?\n", head + old + "check t \"$(t a)\" A\n\n# the last\nexit $?\n", false},
		{head + "check a \"$(a b)\" A || fails=1\n" + end, head + "check a \"$(a b)\" A || fails=1\ncheck b \"$(b b)\" B || fails=1\n" + end, true},
		{old + end, old + "check title \"$(title a)\" A\n" + end, false},                                      // another file defines it
		{head + "cat <<E\n" + old + "E\n" + end, head + "cat <<E\n" + old + old + "E\n" + end, false},         // a document
		{head + "x='\n" + old + "'\n" + end, head + "x='\n" + old + "check t \"$(t a)\" A\n'\n" + end, false}, // a text
		{head + "exit $fails\n" + old, head + "check title \"$(title a)\" A\nexit $fails\n" + old, false},     // below another line
	} {
		if got := Only("tests/test_text.sh", []byte(c.base), []byte(c.work)); got != c.want {
			t.Errorf("%q to %q is an addition: %v, want %v", c.base, c.work, got, c.want)
		}
	}
}

// TestShellTails: lines at the end of a script of tests that does not end with the first failure
// replace its status.
func TestShellTails(t *testing.T) {
	t.Parallel()
	const (
		test  = "[ \"$(upper ab)\" = \"AB\" ]\n"
		check = "check() {\n\t[ \"$1\" = \"$2\" ] || { echo \"$1\"; exit 1; }\n}\n"
	)
	for base, want := range map[string]bool{
		test:                                        false,
		"set -e\n" + test:                           true,
		"set -eu\n" + test:                          true,
		"set -o pipefail -o errexit\n" + test:       true,
		"#!/bin/sh -e\n" + test:                     true,
		"set -u\n" + test:                           false,
		test + "[ -f x ] || exit 1\n":               true,
		test + "[ -f x ] || { echo no; exit 1; }\n": true,
		test + "\n# the end\n":                      false,
		check + "check a b\n":                       true,
		". ./lib.sh\ncheck a b\n":                   false,
		"@test \"a\" {\n  upper ab\n}\n":            true,
		"# no test yet\n":                           true,
	} {
		for added, ends := range map[string]bool{"[ \"$(title ab)\" = \"Ab\" ]\n": want, "exit 0\n": want, "# a remark\n": true, "\n": true} {
			if got := Only("tests/test_text.sh", []byte(base), []byte(base+added)); got != ends {
				t.Errorf("%q after %q is an addition: %v, want %v", added, base, got, ends)
			}
		}
	}
}
