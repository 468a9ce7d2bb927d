package web

import (
	"html/template"
	"regexp"
	"strings"
	"testing"
)

// ours are the tags that these functions write; anything else between < and > is foreign.
var ours = regexp.MustCompile(`^</?(p|h3|ul|li|pre|code|b|br|tr|td)( class="(hunk|same|add|del)")?( colspan="3")?>$`)

// onlyOurs reports the first tag that is not ours.
func onlyOurs(h template.HTML) string {
	for _, tag := range regexp.MustCompile(`<[^>]*>?`).FindAllString(string(h), -1) {
		if !ours.MatchString(tag) {
			return tag
		}
	}
	return ""
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a `b` **c**":                        "<p>a <code>b</code> <b>c</b></p>\n",
		"# h\n- x\n- y\n\nz\nw":              "<h3>h</h3>\n<ul>\n<li>x</li>\n<li>y</li>\n</ul>\n<p>z<br>\nw</p>\n",
		"```go\n<b>`x`</b>\n```":             "<pre>&lt;b&gt;`x`&lt;/b&gt;\n</pre>\n",
		"[a](javascript:x) ![b](http://c/d)": "<p>[a](javascript:x) ![b](http://c/d)</p>\n",
		"`<i>` <i>":                          "<p><code>&lt;i&gt;</code> &lt;i&gt;</p>\n",
		"```\nopen":                          "<pre>open\n</pre>\n",
		"a ` b ** c":                         "<p>a ` b ** c</p>\n",
		"":                                   "",
	} {
		if got := string(markdownHTML(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(evil)
	f.Add("`**`a**`b`**")
	f.Fuzz(func(t *testing.T, s string) {
		if tag := onlyOurs(markdownHTML(s)); tag != "" {
			t.Errorf("%q makes %q", s, tag)
		}
	})
}

func TestDiff(t *testing.T) {
	t.Parallel()
	d := readDiff([]byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@ f\n a\n-b\n+<i>\n+d\ndiff --git a/y b/z\nsimilarity index 100%\nrename from y\nrename to z\n"))
	if len(d.Files) != 2 || d.Files[0].Added != 2 || d.Files[0].Deleted != 1 || d.Files[1].How != "renamed" || d.Files[1].Name != "y → z" {
		t.Fatalf("%+v", d.Files)
	}
	for _, want := range []string{`<tr class="del"><td>2</td><td></td><td>-b</td></tr>`, `<tr class="add"><td></td><td>2</td><td>+&lt;i&gt;</td></tr>`, `<tr class="same"><td>1</td><td>1</td><td> a</td></tr>`} {
		if !strings.Contains(string(d.Files[0].Body), want) {
			t.Errorf("no %s in %s", want, d.Files[0].Body)
		}
	}
	if d := readDiff([]byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n")); d.Raw == "" || !d.Cut {
		t.Errorf("a cut patch: %+v", d)
	}
	large := readDiff([]byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,5000 @@\n" + strings.Repeat("+x\n", 5000)))
	if n := strings.Count(string(large.Files[0].Body), "<tr"); n > mostFileLines+2 || !large.Files[0].Folded {
		t.Errorf("%d rows", n)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@ <b>\n-<i>\n+<u>\n")
	f.Add("diff --git \"a/\\\"<i>\" b/x\nnew file mode 100644\n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, file := range readDiff([]byte(s)).Files {
			if tag := onlyOurs(file.Body); tag != "" {
				t.Errorf("%q makes %q", s, tag)
			}
		}
	})
}

func TestLinesOf(t *testing.T) {
	t.Parallel()
	lines, cut := linesOf([]byte("half\n\x1b[31mred\x1b[0m\nb\n"), true, asIs)
	if len(lines) != 2 || lines[0] != "red" || !cut {
		t.Errorf("%q %v", lines, cut)
	}
	lines, cut = linesOf([]byte(strings.Repeat("x\n", mostLines+10)), false, asIs)
	if len(lines) != mostLines || !cut {
		t.Errorf("%d lines, %v", len(lines), cut)
	}
}
