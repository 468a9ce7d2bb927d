package review

import (
	"slices"
	"strings"
)

// fit shortens the diff to about so many bytes, and names the files whose changes are then
// not shown in full. Each file may take the same share, and what small ones leave goes to
// the others: many files, or a large one, do not push another out of sight.
func (s Subject) fit(most int) (diff string, unshown []string) {
	if len(s.Diff) <= most && !s.DiffCut {
		return s.Diff, nil
	}
	const head = "diff --git "
	files := strings.SplitAfter(s.Diff, "\n"+head)
	for i := range files { // each begins with its own head
		files[i] = strings.TrimSuffix(files[i], head)
		if i > 0 {
			files[i] = head + files[i]
		}
	}
	share, whole := shareOf(files, most), strings.Builder{}
	for i, f := range files {
		if len(f) <= share && (i < len(files)-1 || !s.DiffCut) {
			whole.WriteString(f)
		} else {
			files[i] = middle(f, share) + "\n"
		}
	}
	shown := "\n" + whole.String()
	for _, f := range s.Files {
		if !strings.Contains(shown, " b/"+f+"\n") && !strings.Contains(shown, "\nrename from "+f+"\n") {
			unshown = append(unshown, f)
		}
	}
	return strings.Join(files, ""), unshown
}

// shareOf is the largest length to which each text can be cut so that all together have
// so many bytes.
func shareOf(texts []string, most int) int {
	sizes := make([]int, len(texts))
	for i, t := range texts {
		sizes[i] = len(t)
	}
	slices.Sort(sizes)
	for i, size := range sizes {
		share := most / (len(sizes) - i)
		if size > share {
			return share
		}
		most -= size
	}
	return most
}
