package judge

import (
	"fmt"
	"strings"

	"ralph/internal/lazyregexp"
)

// rustDoc matches comments of documentation in Rust, line after line.
var rustDoc = lazyregexp.New(`(?m)(?:^[ \t]*//[/!](?:[^/\n][^\n]*)?(?:\n|$))+`)

// mergeRustDocs adds the examples of documentation that the work changed or removed to
// its file, each on an item of its own.
func mergeRustDocs(base, work string) (merged string, same bool) {
	var gone []string
	have := map[string]int{}
	for _, block := range rustDoc.FindAllString(work, -1) {
		for _, e := range fenced(uncommented(block)) {
			have[e]++
		}
	}
	for _, block := range rustDoc.FindAllString(base, -1) {
		for _, e := range fenced(uncommented(block)) {
			if have[e]--; have[e] < 0 {
				gone = append(gone, e)
			}
		}
	}
	if len(gone) == 0 {
		return work, true
	}
	var out strings.Builder
	out.WriteString(strings.TrimRight(work, "\n") + "\n")
	for i, e := range gone {
		fence := e[:3]
		out.WriteString("\n/// " + strings.ReplaceAll(e, "\n", "\n/// ") + "\n/// " + fence + fmt.Sprintf("\n#[allow(dead_code)]\nfn documented_on_the_base_%d() {}\n", i+1))
	}
	return out.String(), false
}

// uncommented is a comment of documentation without its marks.
func uncommented(block string) string {
	var b strings.Builder
	for line := range strings.Lines(block) {
		line = strings.TrimLeft(line, " \t")[len("///"):]
		b.WriteString(strings.TrimPrefix(line, " "))
	}
	return b.String()
}
