package judge

import (
	"path"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

// A gate can run a program that makes sources of the product from data, and then see that they
// are as committed. The data is what the product is made from: no expectation of it.

var (
	// writesOut matches a line that writes a file, and givesVerdict what a program does that
	// checks: its data is what it expects.
	writesOut = lazyregexp.New(`\.write_(?:text|bytes)\(|\bopen\([^)\n]*,\s*["'][wx]b?\+?["']|\bWriteFile\(|\bwriteFile(?:Sync)?\(|\bos\.Create\(|\bcreateWriteStream\(|\bfs::write\(|\bFile::create\(|\bfile_put_contents\(`)
	// outsideLibrary matches an import of Go that is not of its library.
	outsideLibrary = lazyregexp.New(`(?m)^\s*(?:import\s+)?(?:[\w.]+\s+)?"[\w-]+\.[\w.-]+/`)
	givesVerdict   = lazyregexp.New(`\bassert|\bsys\.exit|\bSystemExit\b|\b_?exit\(|\bprocess\.exit|\bos\.Exit\(|\bt\.(?:Error|Fatal)|\bexpect\(`)
)

// makesSources reports whether a program of the gate writes a source of the product, uses none
// and gives no verdict of its own.
func (d *Diff) makesSources(t gateText) bool {
	lang := proof.LanguageOf(t.from)
	known := lang == "python" || lang == "js" || lang == "go" && !outsideLibrary.MatchString(t.text)
	if t.commands || !known || givesVerdict.MatchString(t.text) || d.usesProject(t) {
		return false
	}
	for line := range strings.Lines(t.text) {
		if writesOut.MatchString(line) && d.namesSource(line, t.from) {
			return true
		}
	}
	return false
}

// namesSource reports whether a line names a source of the product other than this one.
func (d *Diff) namesSource(line, from string) bool {
	for p := range d.Before {
		name := path.Base(p)
		_, test := d.isTest(p)
		if p != from && !test && !proof.IsConfig(p) && proof.LanguageOf(p) != "" && (strings.Contains(line, `/`+name) || strings.Contains(line, `"`+name) || strings.Contains(line, `'`+name)) {
			return true
		}
	}
	return false
}
