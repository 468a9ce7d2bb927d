package ratchet

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func names(list ...string) Names {
	var out Names
	for _, s := range list {
		name, outcome := s, "passed"
		for _, o := range []string{"failed", "skipped"} {
			if before, found := strings.CutSuffix(s, "="+o); found {
				name, outcome = before, o
			}
		}
		out = append(out, Test{Name: name, Outcome: Outcome(outcome)})
	}
	return out
}

func TestLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		base, work, steady Names
		want               []string
	}{
		"same":                  {names("a", "b"), names("b", "a", "c"), nil, nil},
		"removed":               {names("a", "b"), names("a"), nil, []string{"b"}},
		"skipped":               {names("a"), names("a=skipped"), nil, []string{"a"}},
		"failed":                {names("a"), names("a=failed"), nil, []string{"a"}},
		"skipped on the base":   {names("b=skipped"), nil, nil, nil},
		"red, then gone":        {names("a=failed"), nil, nil, []string{"a"}},
		"red, then skipped":     {names("a=failed"), names("a=skipped"), names("a=failed"), []string{"a"}},
		"red, then green":       {names("a=failed"), names("a"), nil, nil},
		"red cases of Go":       {names("p/q:TestA/got_3=failed"), names("p/q:TestA/got_4"), nil, nil},
		"a red case of Go":      {names("p/q:TestA/got_3=failed"), names("p/q:TestB"), nil, []string{"p/q:TestA/got_3"}},
		"red cases of pytest":   {names("a.py::test_a[3]=failed"), names("a.py::test_a[4]"), nil, nil},
		"a red case gone":       {names("p:TestA/de", "p:TestA/fr=failed", "a.py::test_a[de]", "a.py::test_a[fr]=failed"), names("p:TestA/de", "a.py::test_a[de]"), nil, []string{"a.py::test_a[fr]", "p:TestA/fr"}},
		"all cases gone":        {names("p:TestA/fr=failed"), names("p:TestA"), nil, []string{"p:TestA/fr"}},
		"a case skipped":        {names("p:TestA/fr=failed"), names("p:TestA/fr=skipped", "p:TestA/fr_2"), nil, []string{"p:TestA/fr"}},
		"another case":          {names("p:TestA/fr=failed"), names("p:TestA/xx"), nil, []string{"p:TestA/fr"}},
		"cases with values":     {names("a.py::test_a[de-0.18]=failed", "a.py::test_a[fr-low]=failed"), names("a.py::test_a[de-0.19]", "a.py::test_a[fr-high]"), nil, nil},
		"two cases made one":    {names("p:TestA/got_3=failed", "p:TestA/got_4=failed"), names("p:TestA/got_5"), nil, []string{"p:TestA/got_4"}},
		"a case with cases":     {names("p:TestA/fr=failed"), names("p:TestA/fr/low"), nil, nil},
		"a test with cases":     {names("p:TestA=failed"), names("p:TestA/fr"), nil, nil},
		"red with what it got":  {names("adds: got 3=failed", "b - got (x)=failed"), names("adds", "b"), nil, nil},
		"red, and its like":     {names("adds: got 3=failed", "adds"), names("adds"), nil, []string{"adds: got 3"}},
		"red with its result":   {names("tax 50 = 9=failed", "tax 150 = 28=failed", "x got (-1.5)=failed"), names("tax 50 = 10", "tax 150 = 29", "x got (2)"), nil, nil},
		"a result of another":   {names("tax 50 = 9=failed", "tax 150 = 28=failed"), names("tax 50 = 10", "tax 60 = 11"), nil, []string{"tax 150 = 28"}},
		"two results, one now":  {names("tax = 8=failed", "tax = 9=failed"), names("tax = 10"), nil, []string{"tax = 9"}},
		"a result as before":    {names("tax = 9=failed", "tax = 10"), names("tax = 10"), nil, []string{"tax = 9"}},
		"a number of its own":   {names("tax of 50=failed"), names("tax of 100"), nil, []string{"tax of 50"}},
		"red with a longer":     {names("adds=failed"), names("add"), nil, []string{"adds"}},
		"one of two":            {names("a", "a"), names("a"), nil, []string{"a"}},
		"a red one of two":      {names("a", "a=failed"), names("a"), nil, []string{"a"}},
		"red one, skipped":      {names("a", "a=failed"), names("a", "a=skipped"), nil, []string{"a"}},
		"red one, repaired":     {names("a", "a=failed"), names("a", "a"), nil, nil},
		"two red, one left":     {names("a=failed", "a=failed"), names("a"), nil, []string{"a"}},
		"a flaky one again":     {names("a", "a=failed"), names("a"), names("a"), nil},
		"one skipped before":    {names("a", "a=skipped"), names("a", "a=skipped"), nil, nil},
		"Go, tried again":       {names("p:TestA=failed", "p:TestA=failed", "p:TestB", "p:TestB=failed"), names("p:TestA", "p:TestB"), nil, nil},
		"JUnit, tried again":    {names("org.shop.CartTest:empty=failed", "org.shop.CartTest:empty=failed"), names("org.shop.CartTest:empty"), nil, nil},
		"JUnit, two modules":    {names("org.shop.CartTest:empty", "org.shop.CartTest:empty=failed"), names("org.shop.CartTest:empty"), nil, []string{"org.shop.CartTest:empty"}},
		"unittest, two folders": {names("test_tax.T.test_tax", "test_tax.T.test_tax=failed"), names("test_tax.T.test_tax", "test_tax.T.test_tax=skipped"), nil, []string{"test_tax.T.test_tax"}},
		"only the first run":    {names("a", "b"), nil, names("a=skipped", "b"), []string{"b"}},
		"a name of its own":     {names("a[17]"), names("a[19]"), names("a[18]"), nil},
		"none in another run":   {names("a"), nil, Names{}, nil},
		"two, one of them odd":  {names("a", "a"), names("a"), names("a"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Lost(c.base, c.work, c.steady); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestForbidden(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		test             string
		changed, may, in []string
		forbidden        bool
	}{
		{"example.test/p/api:TestA", []string{"api/a_test.go"}, []string{"api/a_test.go"}, nil, false},
		{"example.test/p/api:TestA/x y", []string{"api/a_test.go", "web/w_test.go"}, []string{"api/*_test.go"}, nil, false},
		{"example.test/p/api:TestA", []string{"api/a_test.go", "api/b_test.go"}, []string{"api/a_test.go"}, nil, true},
		{"example.test/p/api:TestA", []string{"api/a.go"}, []string{"**"}, nil, true},
		{"example.test/p/api:TestA", []string{"web/w_test.go"}, []string{"**"}, nil, true},
		{"example.test/p/api:TestA", []string{"api/a_test.go"}, nil, []string{"api"}, false},
		{"tests/test_a.py::T::test_x[1]", []string{"tests/test_a.py"}, []string{"tests"}, nil, false},
		{"tests/test_a.py::test_x", []string{"tests/test_b.py"}, []string{"tests"}, nil, true},
		{"src/a.test.js > suite > name", []string{"web/src/a.test.js"}, []string{"web"}, nil, false},
		{"tests.test_a.T.test_x", []string{"tests/test_a.py"}, []string{"tests/test_a.py"}, nil, false},
		{"tests.test_a.T.test_x", []string{"tests/test_b.py"}, []string{"tests"}, nil, true},
		{"suite > name", []string{"lib/a.js", "test/a.js"}, []string{"test"}, nil, false},
		{"suite > name", []string{"lib/a.js"}, []string{"lib"}, nil, true},
		{"tests::adds", []string{"src/lib.rs"}, []string{"src/lib.rs"}, nil, false},
		{"org.shop.CartTest:empty", []string{"src/test/java/org/shop/CartTest.java"}, []string{"src/test"}, nil, false},
	} {
		got := Permission{MayChange: c.may, Scope: c.in, Changed: c.changed}.Forbidden([]string{c.test})
		if (len(got) == 1) != c.forbidden {
			t.Errorf("%s, changed %q, permitted %q %q: %q", c.test, c.changed, c.may, c.in, got)
		}
	}
}

// A case that comes from the product goes without a change of its test's file.
func TestForbiddenCase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		test, may string
		forbidden bool
	}{
		{"tests/test_a.py::test_x[fr]", "tests/**", false},
		{"example.test/p/api:TestA/fr", "api/*_test.go", false},
		{"tests/test_a.py::test_x[fr]", "tax.py", true},
		{"tests/test_a.py::test_x", "tests/**", true},
	} {
		p := Permission{MayChange: []string{c.may}, Changed: []string{"tax.py", "api/a.go"}, Files: []string{"tax.py", "api/a.go", "api/a_test.go", "tests/test_a.py"}}
		if got := p.Forbidden([]string{c.test}); (len(got) == 1) != c.forbidden {
			t.Errorf("%s, permitted %s: %q", c.test, c.may, got)
		}
	}
}

// Names without a file repeat: as many tests of a name pass as ran before, or it is lost.
func TestAsManyTestsOfANamePass(t *testing.T) {
	t.Parallel()
	one := rapid.Custom(func(t *rapid.T) Test {
		return Test{"works", rapid.SampledFrom([]Outcome{TestPassed, TestFailed, TestSkipped}).Draw(t, "outcome")}
	})
	rapid.Check(t, func(t *rapid.T) {
		base, work := Names(rapid.SliceOfN(one, 0, 5).Draw(t, "base")), Names(rapid.SliceOfN(one, 0, 5).Draw(t, "work"))
		ran := base.With(TestPassed)["works"] + base.With(TestFailed)["works"]
		if lost := len(Lost(base, work, nil)) > 0; lost != (work.With(TestPassed)["works"] < ran) {
			t.Errorf("%d ran, lost: %v", ran, lost)
		}
	})
}

func TestReruns(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{
		"pytest --reruns 2":             true,
		"gotestsum --rerun-fails ./...": true,
		"pytest || pytest":              true,
		"for i in 1 2 3; do\n\tif pytest -q; then exit 0; fi\ndone\nexit 1": true,
		"until pytest\ndo\n\tsleep 1\ndone":                                 true,
		"for d in a b; do\n\t(cd $d && pytest) || exit 1\ndone\nexit 0":     false,
		"pytest -q || pytest -q --lf":                                       true,
		"cd web && npm test || npm test":                                    true,
		"for i in 1 2 3; do npm test && break; done":                        true,
		"until make test; do sleep 1; done":                                 true,
		"retry -t 3 npm test":                                               true,
		"r=0; for d in a b; do (cd $d && pytest) || r=1; done":              false,
		"for d in a b; do (cd $d && pytest) || exit 1; done":                false,
		"npm test && npm test":                                              false,
		"go test ./... && go vet ./...":                                     false,
		"node --test test/retry.test.js":                                    false,
		"pytest || true":                                                    false,
		"":                                                                  false,
	} {
		if got := Reruns(command); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
}

func TestNamesOnce(t *testing.T) {
	t.Parallel()
	got := names("a", "a=failed", "b=failed", "b=failed", "c=skipped", "c=failed", "d=skipped").Once()
	if d := cmp.Diff(names("a", "b=failed", "c=failed", "d=skipped"), got); d != "" {
		t.Error(d)
	}
}

// Whatever the work does, a test that passes on both runs of the base and not on
// the work is lost.
func TestNothingIsLostUnseen(t *testing.T) {
	t.Parallel()
	run := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Test {
		return Test{
			Name:    rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "name"),
			Outcome: rapid.SampledFrom([]Outcome{TestPassed, TestFailed, TestSkipped}).Draw(t, "outcome"),
		}
	}), 0, 6)
	rapid.Check(t, func(t *rapid.T) {
		base, work, again := Names(run.Draw(t, "base")), Names(run.Draw(t, "work")), Names(run.Draw(t, "again"))
		lost := Lost(base, work, again)
		ran := func(n Names, name string) int { return n.With(TestPassed)[name] + n.With(TestFailed)[name] }
		for _, x := range base {
			name := x.Name
			gone := ran(base, name) > 0 && work.With(TestPassed)[name] == 0 && (again == nil || ran(again, name) > 0)
			if gone && !slices.Contains(lost, name) {
				t.Fatalf("%s is not among %q", name, lost)
			}
		}
	})
}

func TestNamesAreReadAsWritten(t *testing.T) {
	t.Parallel()
	want := names("a", "a=failed", "with \"quotes\" and ü\n", "z=skipped")
	data, err := EncodeNames(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeNames(data)
	if d := cmp.Diff(names("a=failed", "a", "with \"quotes\" and ü\n", "z=skipped"), got); d != "" || err != nil {
		t.Error(d, err)
	}
	for _, bad := range []string{"", "{", `{"schema": "ralph.tests/v9", "tests": []}`, string(data[:len(data)-4])} {
		if _, err := DecodeNames([]byte(bad)); err == nil {
			t.Errorf("read %q", bad)
		}
	}
}

// TestNewlySkipped: a test that the base has, or of which another one of its name runs, is not new.
func TestNewlySkipped(t *testing.T) {
	t.Parallel()
	got := names("a=skipped", "b=skipped", "c=skipped", "c", "e=skipped", "d=skipped", "f").NewlySkipped(names("a", "b=skipped"))
	if want := []string{"d", "e"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	base := names("m.Windows.a=skipped", "m.Posix.a", "m.Slow.a=skipped", "m.Slow.b")
	got = append(base, names("m.Windows.new=skipped", "m.Posix.new", "m.Slow.new=skipped", "m.Windows.alone=skipped", "t.py::Windows::a=skipped")...).NewlySkipped(base)
	if want := []string{"m.Slow.new", "m.Windows.alone", "t.py::Windows::a"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
