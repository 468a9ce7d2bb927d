package sandbox

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// claim says what may be done below a path; the deepest claim decides.
type claim struct {
	path string // real
	// from is what stands at path; "" is what is there.
	from  string
	write bool
	// soft claims are let go where only additions can be expressed (Landlock).
	soft bool
}

// claims are kept one a path, and read parents first.
type claims []claim

// add puts a claim in the place of one of the same path.
func (c *claims) add(n claim) {
	for i := range *c {
		if (*c)[i].path == n.path {
			(*c)[i] = n
			return
		}
	}
	*c = append(*c, n)
}

// sorted are parents first.
func (c claims) sorted() claims {
	out := slices.Clone(c)
	slices.SortStableFunc(out, func(a, b claim) int {
		return cmp.Or(cmp.Compare(depth(a.path), depth(b.path)), cmp.Compare(a.path, b.path))
	})
	return out
}

func depth(path string) int { return strings.Count(strings.TrimSuffix(path, "/"), "/") }

// within says whether path is dir or below it.
func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}

// over is the claim that decides about path, without one of path itself.
func (c claims) over(path string) (claim, bool) {
	best, found := claim{}, false
	for _, x := range c {
		if x.path != path && within(path, x.path) && (!found || len(x.path) > len(best.path)) {
			best, found = x, true
		}
	}
	return best, found
}

// locked says whether something below path, or path itself, may not be written.
func (c claims) locked(path string) bool {
	return slices.ContainsFunc(c, func(x claim) bool { return !x.write && !x.soft && within(x.path, path) })
}

// pins are the folders between a writable one and a read-only one below it:
// mounted on themselves they cannot be moved away with what is in them.
func (c claims) pins() claims {
	var pins claims
	for _, x := range c {
		roof, ok := c.over(x.path)
		if x.write || !ok || !roof.write || roof.from != "" {
			continue
		}
		for dir := filepath.Dir(x.path); dir != roof.path && within(dir, roof.path); dir = filepath.Dir(dir) {
			pins.add(claim{path: dir, write: true})
		}
	}
	return pins
}
