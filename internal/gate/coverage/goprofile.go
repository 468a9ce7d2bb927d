package coverage

import (
	"bytes"

	"golang.org/x/tools/cover"
)

// goProfile counts statements. With -coverpkg every test binary repeats the
// blocks of every package; the library merges them, and profiles that were
// concatenated lose their extra mode lines here.
func goProfile(data []byte) (float64, error) { return percentOf(goFiles(data)) }

func goFiles(data []byte) ([]File, error) {
	profiles, err := cover.ParseProfilesFromReader(bytes.NewReader(oneMode(data)))
	var out []File
	for _, p := range profiles {
		out = append(out, ofProfile(p))
	}
	return out, err
}

func ofProfile(p *cover.Profile) File {
	f := File{Name: p.FileName}
	for _, b := range p.Blocks {
		f.Total += int64(b.NumStmt)
		if b.Count > 0 {
			f.Covered += int64(b.NumStmt)
		}
	}
	return f
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
