package proof

import (
	"slices"
	"testing"
)

func TestProductOfAbsolutePaths(t *testing.T) {
	t.Parallel()
	got := Product([]string{"/", "/a.go", "/x/tests/a.py", "//b.c"})
	if want := []string{"/", "/a.go", "//b.c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
