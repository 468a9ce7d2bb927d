package judge

import (
	"testing"

	"ralph/internal/testing/prooftest"
)

// A makefile may list more sources; the rest of it judges.
func TestSourceLists(t *testing.T) {
	t.Parallel()
	base := "CC = cc\nSRC = tax.c \\\n  money.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n"
	for name, c := range map[string]struct{ work, want string }{
		"one more source":         {"CC = cc\nSRC = tax.c \\\n  money.c \\\n  lib/round.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", ""},
		"in one line":             {"CC = cc\nSRC = tax.c round.c money.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", ""},
		"an object":               {"CC = cc\nSRC = tax.c money.c round.o\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", ""},
		"a file of the base":      {"CC = cc\nSRC = tax.c money.c slow.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", base},
		"a file that is missing":  {"CC = cc\nSRC = tax.c money.c none.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", base},
		"one less":                {"CC = cc\nSRC = tax.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", base},
		"a flag":                  {"CC = cc\nSRC = tax.c money.c -DNDEBUG\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", base},
		"a flag as a file":        {"CC = cc\nSRC = tax.c money.c -Dx.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", base},
		"out of the tree":         {"CC = cc\nSRC = tax.c money.c lib/../../x.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", base},
		"a function":              {"CC = cc\nSRC = tax.c money.c $(shell true).c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", base},
		"a comment ends the list": {"CC = cc\nSRC = tax.c \\\n  money.c # x.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", base},
		"a source and a recipe":   {"CC = cc\nSRC = tax.c money.c round.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\ttrue\n", "CC = cc\nSRC = tax.c money.c round.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n"},
		"set twice":               {"CC = cc\nSRC = tax.c \\\n  money.c\nSRC = tax.c money.c x.c\nCFLAGS = -Wall\n\ntest: $(SRC)\n\t$(CC) $(SRC) -o t && ./t\n", base},
	} {
		k, read := change("make test", prooftest.Tree{"Makefile": base, "tax.c": "x", "slow.c": "x"}, prooftest.Tree{"Makefile": c.work, "round.c": "x", "lib/round.c": "x", "x.c": "x"})
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, e := range got.Edits {
			if text = string(e.Data); e.Data == nil {
				data, _ := read.Read(e.ID)
				text = string(data)
			}
		}
		if text != c.want {
			t.Errorf("%s: as on the base %q, want %q", name, text, c.want)
		}
	}
}

// A makefile may have another version of the project; that of a tool judges.
func TestVersionsOfMakefiles(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"VERSION = 1.1.0": true, "VERSION = v2.0.0-rc.1": true, "VERSION = 1.1.0 -k none": false, "VERSION = $(shell true)": false, "VERSION = tests": false,
	} {
		rest := "\n\ntest: a.c\n\t./t $(VERSION)\n"
		k, _ := change("make test", prooftest.Tree{"Makefile": "VERSION = 1.0.0" + rest, "a.c": "x"}, prooftest.Tree{"Makefile": line + rest})
		if got, err := k.Judges(); err != nil || (len(got.SetAside) == 0) != want {
			t.Errorf("%s: set aside %v %v", line, got.SetAside, err)
		}
	}
	k, _ := change("make test", prooftest.Tree{"Makefile": "NODE_VERSION = 20\n\ntest: a.c\n\t./t\n", "a.c": "x"}, prooftest.Tree{"Makefile": "NODE_VERSION = 16\n\ntest: a.c\n\t./t\n"})
	if got, err := k.Judges(); err != nil || len(got.SetAside) != 1 {
		t.Errorf("the version of a tool: set aside %v %v", got.SetAside, err)
	}
}
