package scope

// Pair is a glob of each of two scopes that may match the same file.
type Pair struct {
	Mine   string `json:"mine"`
	Theirs string `json:"theirs"`
}

// Overlaps lists the pairs of globs that overlap.
func Overlaps(mine, theirs []string) []Pair {
	var out []Pair
	for _, a := range mine {
		for _, b := range theirs {
			if Overlap(a, b) {
				out = append(out, Pair{a, b})
			}
		}
	}
	return out
}

// Overlap says whether some file may be in both scopes. It never says no when
// there is one; where it is not sure, as with two different classes of
// characters, it says yes.
func Overlap(a, b string) bool {
	as, sure := alternatives(clean(a))
	bs, sure2 := alternatives(clean(b))
	if !sure || !sure2 {
		return true
	}
	for _, x := range as {
		for _, y := range bs {
			if foldersMeet(folders(x), folders(y)) {
				return true
			}
		}
	}
	return false
}
