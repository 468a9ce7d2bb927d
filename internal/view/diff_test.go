package view

import (
	"html/template"
	"regexp"
	"strings"
	"testing"
)

// rowTags are the tags that a diff writes; anything else between < and > is foreign.
var rowTags = regexp.MustCompile(`^</?(tr|td|span)( class="(hunk|same|add|del|k|s|n|c)")?( colspan="3")?>$`)

// onlyRows returns the first tag that is none of them.
func onlyRows(h template.HTML) string {
	for _, tag := range regexp.MustCompile(`<[^>]*>?`).FindAllString(string(h), -1) {
		if !rowTags.MatchString(tag) {
			return tag
		}
	}
	return ""
}

func TestDiff(t *testing.T) {
	t.Parallel()
	d := ReadDiff([]byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@ f\n a\n-b\n+<i>\n+d\ndiff --git a/y b/z\nsimilarity index 100%\nrename from y\nrename to z\n"))
	if len(d.Files) != 2 || d.Files[0].Added != 2 || d.Files[0].Deleted != 1 || d.Files[1].How != "renamed" || d.Files[1].Name != "y → z" {
		t.Fatalf("%+v", d.Files)
	}
	for _, want := range []string{`<tr class="del"><td>2</td><td></td><td>-b</td></tr>`, `<tr class="add"><td></td><td>2</td><td>+&lt;i&gt;</td></tr>`, `<tr class="same"><td>1</td><td>1</td><td> a</td></tr>`} {
		if !strings.Contains(string(d.Files[0].Body), want) {
			t.Errorf("no %s in %s", want, d.Files[0].Body)
		}
	}
	if d := ReadDiff([]byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n")); d.Raw == "" || !d.Cut {
		t.Errorf("a cut patch: %+v", d)
	}
	if d := ReadDiff([]byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\rb\u2028c\n+d\r\n")); !strings.Contains(string(d.Files[0].Body), "+a␍b\\u2028c</td>") || !strings.Contains(string(d.Files[0].Body), "+d</td>") {
		t.Errorf("line ends inside of lines: %s", d.Files[0].Body)
	}
	large := ReadDiff([]byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,5000 @@\n" + strings.Repeat("+x\n", 5000)))
	if n := strings.Count(string(large.Files[0].Body), "<tr"); n > mostFileLines+2 || !large.Files[0].Folded {
		t.Errorf("%d rows", n)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@ <b>\n-<i>\n+<u>\n")
	f.Add("diff --git \"a/\\\"<i>\" b/x\nnew file mode 100644\n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, file := range ReadDiff([]byte(s)).Files {
			if tag := onlyRows(file.Body); tag != "" {
				t.Errorf("%q makes %q", s, tag)
			}
		}
	})
}

// TestHighlight: tokens are marked, and what is marked is what was written.
func TestHighlight(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"a.go", `if x == "<i>" { // y`, `<span class="k">if</span> x == <span class="s">&#34;&lt;i&gt;&#34;</span> { <span class="c">// y</span>`},
		{"a.py", `return 0x1f # z`, `<span class="k">return</span> <span class="n">0x1f</span> <span class="c"># z</span>`},
		{"q.sql", `SELECT a -- b`, `<span class="k">SELECT</span> a <span class="c">-- b</span>`},
		{"dir/Makefile", `include x`, `include x`},
		{"a.rs", `fn f<'a>(x: u8)`, `<span class="k">fn</span> f&lt;&#39;a&gt;(x: u8)`},
		{"a.c", `a /* b */ "c\" d" e`, `a <span class="c">/* b */</span> <span class="s">&#34;c\&#34; d&#34;</span> e`},
		{"notes.md", `if "x"`, `if &#34;x&#34;`},
	} {
		if got := syntaxOf(c[0]).highlight(c[1]); got != c[2] {
			t.Errorf("%s: %s\n got %s\nwant %s", c[0], c[1], got, c[2])
		}
	}
}

func FuzzHighlight(f *testing.F) {
	f.Add("a.go", `"\"' /* */ 'x' <b> func`)
	f.Fuzz(func(t *testing.T, name, line string) {
		marks := regexp.MustCompile(`</?span( class="[a-z]")?>`)
		if got := marks.ReplaceAllString(syntaxOf(name).highlight(line), ""); got != (*syntax)(nil).highlight(line) {
			t.Errorf("%q became %q", line, got)
		}
	})
}
