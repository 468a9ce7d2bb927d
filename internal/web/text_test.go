package web

import (
	"html/template"
	"regexp"
	"testing"
)

// ours are the tags that these functions write; anything else between < and > is foreign.
var ours = regexp.MustCompile(`^</?(p|h3|ul|li|pre|code|b|br)>$`)

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
