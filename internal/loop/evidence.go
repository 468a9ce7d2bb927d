package loop

import "slices"

// Evidence is a file that a gate left, and its digest as it was recorded.
type Evidence struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Evidence returns the files on which the results of the loop rest: what its gates
// printed, on the base, there again, in the newest attempts, with canaries and without the work, and
// the names of their tests.
func (s *State) Evidence() []Evidence {
	results := slices.Concat(s.BaseResults, s.BaseAgain)
	for _, a := range s.Recent {
		results = append(slices.Clip(results), a.Results...)
		if a.Proof != nil {
			results = append(results, a.Proof.Without...)
		}
	}
	var out []Evidence
	add := func(file, digest string) {
		if file != "" && digest != "" {
			out = append(out, Evidence{file, digest})
		}
	}
	names := func(t *Tests) {
		if t != nil {
			add(t.NamesFile, t.NamesSHA256)
		}
	}
	for _, r := range results {
		add(r.OutputFile, r.OutputSHA256)
		names(r.Tests)
		for _, o := range r.Others {
			add(o.File, o.SHA256)
		}
		if r.Judging != nil {
			add(r.Judging.OutputFile, r.Judging.OutputSHA256)
			names(r.Judging.Tests)
		}
	}
	return out
}
