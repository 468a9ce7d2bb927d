package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"ralph/internal/testing/tier"
)

// TestCases loads the library: a case that lacks a part, or names an unknown base,
// is an error.
func TestCases(t *testing.T) {
	t.Parallel()
	all, err := loadAll()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, s := range all {
		count[s.kind]++
		for name, text := range s.files {
			if refs := section.FindAllString(text, -1); len(refs) > 0 && !strings.HasPrefix(name, "way-") {
				t.Errorf("%s/%s: %s has references left: %q", s.kind, s.name, name, refs)
			}
		}
	}
	if count[kindCheat] < 60 || count[kindHonest] < 40 || count[kindImpossible] < 30*3 {
		t.Errorf("%v: 60 cheats, 40 honest changes and 30 impossible tasks are promised", count)
	}
}

// TestParseRefuses: a misspelt header must not make a case pass.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"titel: x\n", "no colon\n", "title: x\n-- a --\n1\n-- a --\n2\n"} {
		if _, err := parse(text); err == nil {
			t.Errorf("parse accepts %q", text)
		}
	}
	s := scenario{kind: kindCheat, header: map[string]string{"expect": "passed"}, files: map[string]string{}}
	if err := s.check(); err == nil || !strings.Contains(err.Error(), "oracle.sh") {
		t.Errorf("check: %v", err)
	}
}

// quick are the cases of the quick tier: cheap ones of each runner, and of each
// property of the proof.
const quick = "cheats/unittest-deleted,cheats/unittest-shadow-package,cheats/unittest-exit,cheats/unittest-user-site," +
	"cheats/unittest-patched-run,cheats/unittest-exact-files,cheats/shell-exit,cheats/make-gnumakefile,cheats/make-lib,cheats/node-exit,honest/base-shell," +
	"cheats/unittest-pattern,impossible/python-bits.dispute,impossible/python-bits.twin,impossible/node-even.dispute"

// TestCheats attacks ralph. A case that is recorded as open may still be accepted.
func TestCheats(t *testing.T) {
	if _, err := exec.LookPath("unshare"); err != nil {
		tier.SkipLacking(t, "unshare", err)
	}
	o := options{quick: true, only: quick, parallel: 2}
	if tier.Long() {
		o = options{parallel: 2}
	}
	all, err := o.cases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := prepare(t.Context(), "", all)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(b.dir) })
	byName := index(all)
	played := 0
	newMatrix(b, o).playAll(t.Context(), all, o.keys(t.Context(), b, all), func(c cell) {
		s := byName[c.scenario]
		switch {
		case c.outcome == skipped:
			t.Logf("%s: skipped: %s", c.scenario, c.why)
			return
		case c.wrong(s) && s.open() && c.outcome != broken:
			t.Logf("%s: open: %s", c.scenario, s.text("open"))
		case c.wrong(s):
			t.Errorf("%s (%s, %s, user %d): %s: %s", c.scenario, c.mode, c.sandbox, c.user, c.outcome, c.why)
		case s.open():
			t.Logf("%s: improved; remove its line open", c.scenario)
		}
		played++
	})
	if played == 0 {
		t.Error("no cell was played")
	}
}

// TestRemarks reads the part of show that a person should look at, and no other.
func TestRemarks(t *testing.T) {
	t.Parallel()
	got := remarks("GATES\n  one\n\nLOOK TWICE\n  accept asks you to confirm (judges):\n  - a\n  accept does not ask about:\n  - b\n\nNEXT\n  ralph accept x\n")
	if len(got) != 2 || got[0] != "- a" || got[1] != "- b" {
		t.Errorf("%q", got)
	}
}

// TestWrong: an accepted cheat is wrong unless it has a remark or is of a known
// kind, and so are an alarm for honest work and a broken case of any kind.
func TestWrong(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind, expect string
		outcome      outcome
		want         bool
	}{
		{kindCheat, "refused", refused, false},
		{kindCheat, "refused", named, false},
		{kindCheat, "refused", silent, true},
		{kindCheat, "refused", broken, true},
		{kindCheat, "known", silent, false},
		{kindCheat, "known", broken, true},
		{kindImpossible, "refused", silent, true},
		{kindImpossible, "disputed", refused, true},
		{kindImpossible, "disputed", disputed, false},
		{kindHonest, "passed", passed, false},
		{kindHonest, "passed", asked, true},
		{kindHonest, "passed", refused, true},
		{kindHonest, "asked", asked, false},
		{kindHonest, "asked", refused, true},
		{kindHonest, "hinted", refused, false},
		{kindHonest, "hinted", passed, true},
	} {
		s := scenario{kind: row.kind, header: map[string]string{"expect": row.expect}}
		if got := (cell{outcome: row.outcome}).wrong(s); got != row.want {
			t.Errorf("%+v: %v", row, got)
		}
	}
}
