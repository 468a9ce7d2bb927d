package worker

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/proof/ratchet"
)

// Only the run of an earlier step may be without its file: it may have been on another machine.
func TestNamesOfTests(t *testing.T) {
	t.Parallel()
	data, err := ratchet.EncodeNames(ratchet.Names{{Name: "adds", Outcome: ratchet.TestPassed}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tests.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	whole := hex.EncodeToString(sum[:])
	for _, c := range []struct {
		what       string
		tests      *loop.Tests
		ids        int
		in, before error
		elsewhere  bool
	}{
		{what: "no tests"},
		{what: "no names", tests: &loop.Tests{}},
		{what: "names", tests: &loop.Tests{NamesFile: file, NamesSHA256: whole}, ids: 1},
		{what: "changed", tests: &loop.Tests{NamesFile: file, NamesSHA256: "0"}, in: errNamesChanged, before: errNamesChanged},
		{what: "missing", tests: &loop.Tests{NamesFile: file + ".gone", NamesSHA256: whole}, in: os.ErrNotExist, elsewhere: true},
	} {
		names, err := namesIn("unit", c.tests)
		if len(names) != c.ids || !errors.Is(err, c.in) || err != nil && !strings.Contains(err.Error(), "gate unit") {
			t.Errorf("%s: namesIn = %v, %v", c.what, names, err)
		}
		names, here, err := namesBefore("unit", c.tests)
		if len(names) != c.ids || here == c.elsewhere || !errors.Is(err, c.before) {
			t.Errorf("%s: namesBefore = %v, %v, %v", c.what, names, here, err)
		}
	}
}
