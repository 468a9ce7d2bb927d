package suspect

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// The switches that only a gate sets, and what the work adds behind them.
func TestSwitches(t *testing.T) {
	t.Parallel()
	goTag := prooftest.Tree{"a_prod.go": "//go:build prod\n\npackage a\n", "b.go": "//go:build linux\n\npackage a\n"}
	feature := prooftest.Tree{"src/lib.rs": "#[cfg(feature = \"fast\")]\nmod fast;\n"}
	for what, c := range map[string]struct {
		gate       loop.Gate
		base, adds prooftest.Tree
		want       []string
	}{
		"a tag of go test":           {loop.Gate{Run: "go test -tags prod ./..."}, nil, goTag, []string{"a_prod.go:1 " + gateOnly}},
		"a tag of another":           {loop.Gate{Run: "go test -tags=other ./..."}, nil, goTag, nil},
		"tags of go vet":             {loop.Gate{Run: `go vet -tags "x prod" ./...`}, nil, prooftest.Tree{"a.go": "// +build !prod\n\npackage a\n"}, []string{"a.go:1 " + gateOnly}},
		"a tag of the environment":   {loop.Gate{Run: "go test ./...", Env: map[string]string{"GOFLAGS": "-tags=prod"}}, nil, goTag, []string{"a_prod.go:1 " + gateOnly}},
		"a tag of a Makefile":        {loop.Gate{Run: "make test"}, prooftest.Tree{"Makefile": "TAGS := x,prod\ntest:\n\tgo test -tags $(TAGS) ./...\n"}, goTag, []string{"a_prod.go:1 " + gateOnly}},
		"a tag of a build, too":      {loop.Gate{Run: "make test"}, prooftest.Tree{"Makefile": "test:\n\tgo test -tags prod ./...\nbuild:\n\tgo build -tags prod -o app .\n"}, goTag, nil},
		"a tag of an image, too":     {loop.Gate{Run: "go test -tags prod ./..."}, prooftest.Tree{"Dockerfile": "RUN go build -tags=prod -o /app .\n"}, goTag, nil},
		"a tag of other tests":       {loop.Gate{Run: "go test -tags prod ./..."}, prooftest.Tree{".github/workflows/ci.yml": "- run: go test -tags prod ./...\n"}, goTag, []string{"a_prod.go:1 " + gateOnly}},
		"tests behind a tag":         {loop.Gate{Run: "go test -tags prod ./..."}, nil, prooftest.Tree{"a_test.go": "//go:build prod\n\npackage a\n"}, nil},
		"the tag of -race":           {loop.Gate{Run: "go test -race ./..."}, nil, prooftest.Tree{"a.go": "//go:build race\n\npackage a\n"}, []string{"a.go:1 " + gateOnly}},
		"a line of the base":         {loop.Gate{Run: "go test -tags prod ./..."}, prooftest.Tree{"a_prod.go": "//go:build prod\n\npackage a\n\nvar x int\n"}, goTag, nil},
		"a feature":                  {loop.Gate{Run: "cargo test --features slug/fast,x"}, nil, feature, []string{"src/lib.rs:1 " + gateOnly}},
		"a feature of the defaults":  {loop.Gate{Run: "cargo test --features fast"}, prooftest.Tree{"Cargo.toml": "[features]\ndefault = ['most']\nmost = ['fast']\n"}, feature, nil},
		"a feature that is built":    {loop.Gate{Run: "cargo test --features fast"}, prooftest.Tree{"README.md": "    cargo install slug --features fast\n"}, feature, nil},
		"no feature of the gate":     {loop.Gate{Run: "cargo test"}, nil, feature, nil},
		"more with all features":     {loop.Gate{Run: "cargo test --all-features"}, nil, feature, nil},
		"a choice with all features": {loop.Gate{Run: "cargo test --all-features"}, nil, prooftest.Tree{"src/lib.rs": "fn a() -> u8 {\n    if cfg!(feature = \"fast\") { 1 } else { 2 }\n}\n#[cfg(not(feature = \"x\"))]\nfn b() {}\n"}, []string{"src/lib.rs:2 " + gateOnly, "src/lib.rs:4 " + gateOnly}},
		"a choice by a tag":          {loop.Gate{Run: "go test ./..."}, nil, prooftest.Tree{"a.go": "//go:build !release\n\npackage a\n", "b.go": "//go:build release\n\npackage a\n", "c.go": "//go:build !windows && !race\n\npackage a\n"}, []string{"a.go:1 " + leftOut}},
		"a choice that is tried":     {loop.Gate{Run: "make test"}, prooftest.Tree{"Makefile": "test:\n\tgo test ./...\n\tgo test -tags release ./...\nbuild:\n\tgo build -tags release -o app .\n"}, prooftest.Tree{"a.go": "//go:build linux && !release\n\npackage a\n"}, nil},
		"a choice by a feature":      {loop.Gate{Run: "cargo test"}, nil, prooftest.Tree{"src/lib.rs": "#![cfg_attr(not(feature = \"std\"), no_std)]\n#[cfg(not(feature = \"preview\"))]\nfn b() {}\n"}, []string{"src/lib.rs:2 " + leftOut}},
		"a macro of C":               {loop.Gate{Run: "cc -DCHECKED -o t check.c tax.c && ./t"}, nil, prooftest.Tree{"tax.c": "#ifdef CHECKED\n#endif\n#ifdef OTHER\n#endif\n"}, []string{"tax.c:1 " + gateOnly}},
		"a macro of the tests alone": {loop.Gate{Run: "make test"}, prooftest.Tree{"Makefile": "test:\n\t$(CC) -DFAST -o t main_t.c tax.c\n\t./t\n"}, prooftest.Tree{"tax.c": "#if FAST\n#endif\n"}, []string{"tax.c:1 " + gateOnly}},
		"a macro of the build, too":  {loop.Gate{Run: "make test"}, prooftest.Tree{"Makefile": "test:\n\t$(CC) -DFAST=1 -o t check.c tax.c\napp:\n\t$(CC) -DFAST=1 -o app main.c tax.c\n"}, prooftest.Tree{"tax.c": "#if FAST\n#endif\n"}, nil},
	} {
		if c.base == nil {
			c.base = prooftest.Tree{}
		}
		s := prooftest.Store{}
		base := s.Add(c.base)
		duties, err := judge.DutiesOf(c.gate, base, s.Read)
		if err != nil {
			t.Fatal(what, err)
		}
		k, changed := change("", c.base, c.adds)
		found, all, err := Find(k.Base, k.Work, duties, func(id string) ([]byte, error) { return changed[id], nil })
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if d := cmp.Diff(c.want, got); d != "" || !all || err != nil {
			t.Errorf("%s: %v %v (switches %q)\n%s", what, all, err, duties.Switches, d)
		}
	}
}
