package suspect

import (
	"path"
	"slices"

	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// systemHeaders are headers of C that tests include, and that a folder of the project can
// hide.
var systemHeaders = []string{
	"assert.h", "cassert", "check.h", "cmocka.h", "criterion.h", "ctype.h", "errno.h", "float.h", "limits.h", "math.h", "setjmp.h", "stdbool.h", "stdint.h", "stdio.h", "stdlib.h",
	"string.h", "time.h", "unistd.h", "unity.h",
}

// replacing are the added files that are loaded under the name of a file of the product
// which is still there: that one looks as it was, and nothing uses it any more. A file of
// types counts only where a gate inspects the product: no program loads it.
func replacing(base, work map[string]proof.File, inspects bool, content func(string) ([]byte, error)) (found []Finding, err error) {
	d := judge.Between(base, work, content)
	for _, p := range proof.SortedPaths(work) {
		_, had := base[p]
		if _, test := proof.IsTest(p); had || test || path.Ext(p) == ".pyi" && !inspects {
			continue
		}
		if slices.Contains(systemHeaders, path.Base(p)) {
			found = append(found, Finding{Path: p, What: takesPlace + " the system header <" + path.Base(p) + ">"})
			continue
		}
		if program := replacedProgram(work[p]); program != "" {
			found = append(found, Finding{Path: p, What: takesPlace + " the program " + program})
			continue
		}
		for _, old := range d.HiddenBy(p) {
			if _, still := work[old]; !still {
				continue
			}
			form, err := moduleForms{base, work, content}.of(p, old)
			if err != nil {
				return nil, err
			}
			if !form {
				found = append(found, Finding{Path: p, What: takesPlace + " " + old})
				break
			}
		}
	}
	return found, nil
}
