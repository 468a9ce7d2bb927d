package suspect

import (
	"strings"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// Attributes of variables count where a script of the gate assigns them.
func TestAttributes(t *testing.T) {
	t.Parallel()
	const gate = "fail=0\nexpect() {\n\tname=$1 want=$2\n\tgot=$(\"$@\")\n}\n"
	for line, found := range map[string]bool{
		"declare -i got want":                              true,
		"readonly fail":                                    true,
		"total() { typeset -r fail=0; }":                   true,
		"if true; then declare -l got; fi":                 true,
		"while read -r a b; do typeset -n \"$a=$b\"; done": true,
		"declare -i count":                                 false,
		"readonly RATES=1":                                 false,
		"typeset -f got":                                   false,
		"local -r want=3":                                  false,
		"# declare -i got":                                 false,
		"echo declare -i got":                              false,
	} {
		content := func(string) ([]byte, error) { return []byte("total() { echo 1; }\n" + line + "\n"), nil }
		all, _, err := Find(nil, []proof.File{{Path: "cart.sh", Mode: "100644", ID: "1"}}, judge.Duties{Texts: gate}, content)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range all {
			got += f.String() + ", "
		}
		if strings.Contains(got, changesCode) != found {
			t.Errorf("%s: %q", line, got)
		}
	}
}
