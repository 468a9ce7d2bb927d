package syntax

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocstrings finds strings by the names of what they document, through brackets,
// comments, decorators and strings that look like code.
func TestDocstrings(t *testing.T) {
	t.Parallel()
	const source = `#!/usr/bin/env python3
"""Module.

def no(): "string"
"""
x = {
    "a": 1,  # }
}

class A(
    object,
):
    r'''Class.'''

    @wrap(")")
    async def f(self,
                y=")"):
        "function"

        def inner():
            """inner"""
        return """no docstring"""

    z = 1

def g(): return 1
__test__ = {"more": ">>> 1"}
`
	var got []string
	for _, d := range Docstrings(source) {
		got = append(got, d.Name+" "+strings.SplitN(strings.Trim(strings.TrimPrefix(d.Literal, "r"), `"'`), "\n", 2)[0])
	}
	want := []string{" Module.", "A Class.", "A.f function", "A.f.inner inner", "__test__ >>> 1"}
	if !slices.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}
