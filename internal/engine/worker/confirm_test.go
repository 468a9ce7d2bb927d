package worker_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// chance is a gate of two tests, of which the tests "old" and "new" are red in the runs that the
// texts tell (R, then G): on the base, and without the work where its test is there.
const chance = `
at() { n=$(ls DIR | grep -c "^$1"); : > DIR/$1$n; echo "$2" | cut -c$((n+1)); }
old=G new=G
files=$(ls | tr '\n' ' ')
case $files in
*shop.py*) ;;
*test_*) old=$(at without WITHOUT) new=NEW ;;
*) old=$(at base BASE) ;;
esac
tell() { if [ $1 = R ]; then echo "not ok $2 - $3"; else echo "ok $2 - $3"; fi; }
NAMES tell $old 1 old
if [ "${files#*test_}" != "$files" ]; then NAMES tell $new 2 new; echo 1..2 NULL; else echo 1..1 NULL; fi
[ $old$new = GG ]`

// TestFlakyProves: a test that is red by luck, on the base or without the work, proves nothing.
func TestFlakyProves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		base, without, fresh string
		adds, unnamed        bool // a test; the gate names none
		label                string
		red                  []string
		why                  string
		runs                 string // of each kind
	}{
		"idle":                       {base: "GR", label: loop.Unproved, why: "gate answer also passes without the work's product changes (undone: shop.py)", runs: "base 1, without 0"},
		"idle, red once":             {base: "RGR", label: loop.Unproved, why: "on the base old is red and green on the same files: flaky", runs: "base 2, without 0"},
		"red twice":                  {base: "RR", label: "proved: red on the base", red: []string{"old"}, why: "failed before the work", runs: "base 2, without 0"},
		"a command, red once":        {base: "RGR", unnamed: true, label: loop.Unproved, why: "on the base gate answer is red and green on the same files: flaky", runs: "base 2, without 0"},
		"red once, with a test":      {base: "RG", adds: true, without: "G", fresh: "R", label: "proved: red by assertion", red: []string{"new"}, why: "without the work these fail: new", runs: "base 2, without 1"},
		"old and new":                {base: "GG", adds: true, without: "R", fresh: "R", label: "proved: red by assertion", red: []string{"new"}, why: "without the work these fail: new", runs: "base 1, without 1"},
		"old once":                   {base: "GG", adds: true, without: "RG", fresh: "G", label: loop.Unproved, why: "without the work old is red and green on the same files: flaky", runs: "base 1, without 2"},
		"old twice":                  {base: "GG", adds: true, without: "RRG", fresh: "G", label: loop.Unproved, why: "without the work old is red and green on the same files: flaky", runs: "base 1, without 3"},
		"old each time":              {base: "GG", adds: true, without: "RRRG", fresh: "G", label: "proved: red by assertion", red: []string{"old"}, why: "without the work these fail: old", runs: "base 1, without 3"},
		"a command, once without":    {base: "GG", adds: true, unnamed: true, without: "RG", fresh: "G", label: loop.Unproved, why: "without the work gate answer is red and green on the same files: flaky", runs: "base 1, without 2"},
		"a command, thrice without":  {base: "GG", adds: true, unnamed: true, without: "RRRG", fresh: "G", label: "proved: red by exit", why: "exits with 1 without the work", runs: "base 1, without 3"},
		"red once, flaky without it": {base: "RG", adds: true, without: "RG", fresh: "G", label: loop.Unproved, why: "without the work old is red and green on the same files: flaky; on the base old is red and green on the same files: flaky", runs: "base 2, without 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			b := newBench(t, func(tree string) error {
				err := writes("shop.py", "RATE = 19\n")(tree)
				if c.adds {
					err = errors.Join(err, writes("test_new.py", "def test_new(): pass\n")(tree))
				}
				return err
			})
			names, null := "", ""
			if c.unnamed {
				names, null = ":", "> /dev/null"
			}
			b.spec.Gates[0].Run = strings.NewReplacer("DIR", dir, "BASE", c.base, "WITHOUT", c.without, "NEW", c.fresh, "NAMES", names, "NULL", null).Replace(chance)
			b.spec.Proof, b.spec.Limits.MaxIterations = loop.ProofRequired, 1
			if b.spec.MayChange = []string{"test_new.py"}; !c.unnamed {
				b.spec.Gates[0].Kind = loop.KindTests
			}
			s := b.drive(t)
			p := s.Last().Proof
			if p == nil || p.Label() != c.label || !slices.Equal(p.Tests, c.red) || !strings.HasSuffix(p.Why, c.why) && !strings.Contains(p.Why, c.why+";") {
				t.Errorf("%+v\nwant %s, %q: %s\n%s", p, c.label, c.red, c.why, s.Message)
			}
			if got := counted(t, dir); got != c.runs {
				t.Errorf("runs: %s, want %s", got, c.runs)
			}
			if (s.Status == loop.StatusPassed) != (c.label != loop.Unproved) {
				t.Errorf("%s: %s", s.Status, s.Message)
			}
		})
	}
}

// counted tells how often the gate ran in each of the trees.
func counted(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	for _, kind := range []string{"base", "without"} {
		runs, err := filepath.Glob(filepath.Join(dir, kind+"*"))
		must(t, err)
		out = append(out, kind+" "+string(rune('0'+len(runs))))
	}
	return strings.Join(out, ", ")
}
