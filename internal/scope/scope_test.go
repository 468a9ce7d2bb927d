package scope

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a", "a", true},
		{"a", "b", false},
		{"internal/auth", "internal/auth/session.go", true},
		{"internal/auth/", "./internal/auth", true},
		{"internal/auth", "internal/author", false},
		{"internal/auth/**", "internal/api/**", false},
		{"internal/*/x.go", "internal/auth/**", true},
		{"internal/*/x.go", "internal/auth/y.go", false},
		{"**/*_test.go", "internal/auth/**", true},
		{"**/*.md", "src/*.go", false},
		{"src/*.go/x", "src/*.go", false},
		{"docs/v1.2", "**/*.md", true},
		{"**/.github", "**/*.yml", true},
		{"src/a.go", "**/*.md", false},
		{"src/*.{ts,tsx}", "**/*.md", false},
		{"src/*.{ts,tsx}", "**/x.tsx", true},
		{strings.Repeat("a", longest+1), "b", true}, // too long
		{"**", "anything/at/all", true},
		{"*", "a/b", true},     // a is below *
		{"a/*/c", "a/c", true}, // a/c/c
		{"a/*/c.go", "a/c.go", false},
		{"a/**/c", "a/c", true},
		{"{a,b}/x", "{b,c}/x", true},
		{"{a,b}/x", "{c,d}/x", false},
		{"{a,{b,c}}/x", "c/x/y", true},
		{"{a/b,c}", "a/b/z", true},
		{"{a/b,c}", "a/d", false},
		{"a?c", "abc", true},
		{"a?c", "ac", false},
		{"[ab]c", "[xy]c", true}, // not sure
		{"[ab]c", "[xy]d", false},
		{"[a/b]", "b", true},
		{`\*`, "*", true},
		{`\*a`, "ba", false},
		{"ä?", "äö", true},
		{"ä", "ö", false},
		{"a**b", "axxb", true},
		{"a**b", "a/b", false},
		{strings.Repeat("{a,b}", 6), "zzz", true}, // too many to look at
	} {
		if got := overlap(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
		if got := overlap(c.b, c.a); got != c.want {
			t.Errorf("%q and %q: %v", c.b, c.a, got)
		}
	}
}

func TestOverlaps(t *testing.T) {
	t.Parallel()
	got := Overlaps([]string{"a/**", "docs"}, []string{"a/b.go", "**/*.md", "z"})
	want := []Pair{{"a/**", "a/b.go"}, {"a/**", "**/*.md"}, {"docs", "**/*.md"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if Overlaps(nil, []string{"**"}) != nil {
		t.Error("no scope overlaps with something")
	}
}

// names are the paths up to three folders deep of a small alphabet.
func names() (all []string) {
	parts := []string{"a", "b", "ab", "ba", "abb", "a.go"}
	level := []string{""}
	for range 3 {
		var next []string
		for _, l := range level {
			for _, p := range parts {
				next = append(next, strings.TrimPrefix(l+"/"+p, "/"))
			}
		}
		all, level = append(all, next...), next
	}
	return all
}

func drawGlob(t *rapid.T, name string) string {
	part := rapid.SampledFrom([]string{"a", "b", "ab", "*", "**", "?", "a*", "*b", "a**b", "[ab]", "[!a]b", "{a,b}", "{a,b*}b", `\a`, "{a/b,ab}", "{,a}b", "a.go", "*.{go,b}"})
	return strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, name), "/")
}

// If one path is in both scopes, they overlap.
func TestOverlapMissesNothing(t *testing.T) {
	t.Parallel()
	paths := names()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawGlob(t, "a"), drawGlob(t, "b")
		meet := overlap(a, b)
		if meet != overlap(b, a) {
			t.Errorf("%q and %q: it depends on the order", a, b)
		}
		if !overlap(a, a) {
			t.Errorf("%q does not overlap with itself", a)
		}
		if meet {
			return
		}
		for _, p := range paths {
			if Match([]string{a}, p) && Match([]string{b}, p) {
				t.Fatalf("%q and %q both match %s", a, b, p)
			}
		}
	})
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		glob, name string
		want       bool
	}{
		{"internal/auth", "internal/auth/a/b.go", true},
		{"internal/auth", "internal/auth", true},
		{"./internal/auth/", "internal/auth/b.go", true},
		{"internal/auth", "internal/author/b.go", false},
		{"internal/*.go", "internal/a.go", true},
		{"internal/*.go", "internal/x/a.go", false},
		{"**/*_test.go", "a_test.go", true},
		{"", "a", false},
		{".", "a/b.go", true},
	} {
		if got := Match([]string{"zz", c.glob}, c.name); got != c.want {
			t.Errorf("%q, %s: %v", c.glob, c.name, got)
		}
	}
	if Match(nil, "a") {
		t.Error("no scope matches")
	}
}

func TestUnmatched(t *testing.T) {
	t.Parallel()
	got := Unmatched([]string{"a", "b/**", "*.go", "**"}, []string{"a/x", "c.go"})
	if d := cmp.Diff([]string{"b/**"}, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"**"}, Unmatched([]string{"**"}, nil)); d != "" {
		t.Error(d)
	}
}

func TestValid(t *testing.T) {
	t.Parallel()
	for glob, want := range map[string]bool{
		"a/**": true, "./a": true, "{a,b}": true, "[a-z]*": true,
		"": false, "/": false, "./": false, "/etc": false, "..": false, "../a": false, "./../a": false, "[a": false, "{a": false,
	} {
		if got := Valid(glob); got != want {
			t.Errorf("%q: %v", glob, got)
		}
	}
}

func FuzzOverlap(f *testing.F) {
	f.Add("a/**", "{a,b}/[x", "a/b")
	f.Add("**/*.go", `a\`, "x.go")
	f.Fuzz(func(t *testing.T, a, b, name string) {
		if len(a)+len(b)+len(name) > 200 {
			return
		}
		meet := overlap(a, b)
		if Valid(a) && Valid(b) && !meet && Match([]string{a}, name) && Match([]string{b}, name) {
			t.Errorf("%q and %q both match %q", a, b, name)
		}
	})
}
