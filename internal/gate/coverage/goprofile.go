package coverage

import (
	"bytes"

	"golang.org/x/tools/cover"
)

// goProfile counts statements. With -coverpkg every test binary repeats the
// blocks of every package; the library merges them, and profiles that were
// concatenated lose their extra mode lines here.
func goProfile(data []byte) (float64, error) {
	profiles, err := cover.ParseProfilesFromReader(bytes.NewReader(oneMode(data)))
	if err != nil {
		return 0, err
	}
	var covered, total int64
	for _, p := range profiles {
		for _, b := range p.Blocks {
			total += int64(b.NumStmt)
			if b.Count > 0 {
				covered += int64(b.NumStmt)
			}
		}
	}
	return ratio(covered, total)
}

// oneMode keeps the first mode line, and drops blank lines.
func oneMode(data []byte) []byte {
	var out bytes.Buffer
	first := true
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || !first && bytes.HasPrefix(line, []byte("mode: ")) {
			continue
		}
		first = false
		out.Write(line)
		out.WriteByte('\n')
	}
	return out.Bytes()
}
