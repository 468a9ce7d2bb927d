package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
)

var (
	// checkerOfTypes matches what names a type checker.
	checkerOfTypes = lazyregexp.New(`(?i)typescript|\b(?:vue-)?tsc\b|\bdeno\b|\btsd\b|\bts-(?:jest|node)\b|\bcheckJs\b`)
	// typedFile matches files that a type checker reads, and those that configure it.
	typedFile = lazyregexp.New(`(?i)(?:^|/)(?:tsconfig[^/]*\.json|jsconfig\.json|deno\.jsonc?)$|\.(?:[cm]?tsx?|vue|svelte|astro)$`)
	// declared matches a file of declarations of TypeScript.
	declared = lazyregexp.New(`(?i)\.d\.(?:\w+\.)?[cm]?ts$`)
	// mayCheck matches files that can have a type checker run.
	mayCheck = lazyregexp.New(`(?i)(?:^|/)(?:package\.json|[^/.]+|[^/]*\.(?:sh|bash|mk|just|ya?ml|toml|[cm]?js|py))$`)
)

// typesChecked reports whether something in the project may check types. Where nothing does,
// declarations are for editors and for those who use the package: no gate believes them.
func (e evasions) typesChecked(gates []loop.Gate) (bool, error) {
	if slices.ContainsFunc(gates, func(g loop.Gate) bool { return g.Kind == loop.KindTypes || checkerOfTypes.MatchString(g.Run) }) {
		return true, nil
	}
	read := 0
	for _, tree := range []map[string]proof.File{e.before, e.after} {
		for p, f := range tree {
			if typedFile.MatchString(p) && !declared.MatchString(p) {
				return true, nil
			}
			if !mayCheck.MatchString(p) || !proof.IsFile(f) || proof.IsDocument(strings.ToLower(path.Base(p))) {
				continue
			}
			if read++; read > mostSuspectFiles {
				return true, nil
			}
			text, err := e.content(f.ID)
			if err != nil || checkerOfTypes.MatchString(string(text)) {
				return true, err
			}
		}
	}
	return false, nil
}
