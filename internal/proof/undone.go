package proof

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// Undone returns the changes of a commit after which its product is that of the base: changed
// and removed files become those of the base, added ones are removed. Tests of Rust stand in
// the sources of the product: where a changed source holds some, those of Rust stay, with the
// functions of the base, and with what the work added only failing.
func Undone(base, work []File, content func(id string) ([]byte, error)) (edits []Edit, err error) {
	before, after := index(base), index(work)
	changed := slices.DeleteFunc(append(sortedPaths(before), sortedPaths(after)...), func(p string) bool { return before[p] == after[p] })
	slices.Sort(changed)
	texts, tested := map[string][2]string{}, false
	for _, p := range Product(slices.Compact(changed)) {
		if edits = append(edits, Edit{Path: p, Mode: before[p].Mode, ID: before[p].ID}); languageOf(p) != "rust" || after[p].ID == "" || !isFile(after[p]) {
			continue
		}
		var pair [2]string
		for i, id := range []string{before[p].ID, after[p].ID} {
			if id == "" {
				continue
			}
			data, err := content(id)
			if err != nil {
				return nil, err
			}
			pair[i] = string(data)
		}
		texts[p], tested = pair, tested || holdsTestsRust.MatchString(pair[1])
	}
	for i, e := range edits {
		if pair, is := texts[e.Path]; is && tested {
			edits[i] = Edit{Path: e.Path, Mode: after[e.Path].Mode, Data: []byte(undoneRust(pair[0], pair[1]))}
		}
	}
	return edits, nil
}

var (
	// holdsTestsRust matches a unit test, or an example that runs as one.
	holdsTestsRust = lazyregexp.New("(?m)#\\[(?:\\w+::)*test\\b|^[ \t]*//[/!][ \t]*```")
	functionRust   = lazyregexp.New(`\bfn\s+\w+`)
	// bodyRust matches what stands between the name of a function and its body, or ends it.
	bodyRust = lazyregexp.New(`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^'\\])'|[{};\[\]]`)
)

// functionsRust are the functions of a source outside of its modules of unit tests, with the
// code by which they only fail.
func functionsRust(text string) (found []function) {
	for _, module := range unitModules(text) {
		text = strings.Replace(text, module, strings.Repeat(" ", len(module)), 1)
	}
	for _, m := range functionRust.FindAllStringIndex(text, -1) {
		if body := bodyOfRust(text, m[1]); body > 0 {
			if end := closing(text, body); end > 0 {
				found = append(found, function{m[0], body, end, ` panic!("` + hollowed + `");`})
			}
		}
	}
	return found
}

// bodyOfRust is where the body of a function begins, behind its name; 0 of one without.
func bodyOfRust(text string, from int) int {
	depth := 0
	for _, t := range bodyRust.FindAllStringIndex(text[from:], -1) {
		switch token := text[from+t[0] : from+t[1]]; {
		case token == "[":
			depth++
		case token == "]":
			depth--
		case depth > 0:
		case token == "{":
			return from + t[1]
		case token == ";" || token == "}":
			return 0
		}
	}
	return 0
}

// undoneRust is a source in which the functions that the base has are as there, and the
// others of the work only fail.
func undoneRust(before, after string) string {
	was := functionsRust(before)
	head := func(text string, f function) string { return text[f.begin:f.body] }
	var out strings.Builder
	wrote := 0
	for _, f := range functionsRust(after) {
		same := slices.DeleteFunc(slices.Clone(was), func(b function) bool { return head(before, b) != head(after, f) })
		if f.begin < wrote || slices.ContainsFunc(same, func(b function) bool { return before[b.begin:b.end] == after[f.begin:f.end] }) {
			continue
		}
		if len(same) == 1 {
			out.WriteString(after[wrote:f.begin] + before[same[0].begin:same[0].end])
			wrote = f.end
			continue
		}
		out.WriteString(after[wrote:f.body] + f.fails)
		wrote = f.body
	}
	return out.String() + after[wrote:]
}
