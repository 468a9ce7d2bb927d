package git

import (
	"fmt"
	"strings"
	"testing"
)

// TestBlobs: loose, packed, empty and missing ones, and more than are read at once.
func TestBlobs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var ids, texts []string
	for i := range 40 {
		text := strings.Repeat(fmt.Sprintf("line %d\n\n", i), i)
		if i == 39 {
			text = strings.Repeat("x", mostBlobs)
		}
		f.write(f.dir, fmt.Sprintf("f%02d", i), text)
		texts = append(texts, text)
	}
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "files")
	for i := range texts {
		ids = append(ids, strings.TrimSpace(f.git("rev-parse", fmt.Sprintf("HEAD:f%02d", i))))
	}
	for _, packed := range []bool{false, true} {
		if packed {
			f.git("gc", "-q")
		}
		got, err := f.Blobs(t.Context(), append([]string{strings.Repeat("0", len(ids[0]))}, ids...))
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts[:39] {
			if data, ok := got[ids[i]]; !ok || string(data) != text {
				t.Errorf("packed %v: file %d: %v, %d bytes", packed, i, ok, len(data))
			}
		}
		if len(got) != 39 && packed {
			t.Errorf("%d blobs", len(got))
		}
	}
}
