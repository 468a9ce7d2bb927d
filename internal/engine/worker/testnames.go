package worker

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"ralph/internal/kept"
	"ralph/internal/loop"
	"ralph/internal/proof/ratchet"
)

var errNamesChanged = errors.New("the file was changed since")

// namesIn returns the tests of a gate's run; nil where the runner names none.
func namesIn(gate string, t *loop.Tests) (ratchet.Names, error) {
	if t == nil || t.NamesFile == "" {
		return nil, nil
	}
	names, err := readNames(t)
	if err != nil {
		return nil, fmt.Errorf("names of the tests in gate %s: %w", gate, err)
	}
	return names, nil
}

// namesBefore is namesIn for a run of an earlier step, which may have been on another machine;
// here: it was not, so that its file can be read.
func namesBefore(gate string, t *loop.Tests) (names ratchet.Names, here bool, err error) {
	names, err = namesIn(gate, t)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	return names, true, err
}

// readNames reads the file of a result, which must be the one that was recorded.
func readNames(t *loop.Tests) (ratchet.Names, error) {
	data, err := kept.ReadFile(t.NamesFile)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != t.NamesSHA256 {
		return nil, fmt.Errorf("%s: %w", t.NamesFile, errNamesChanged)
	}
	return ratchet.DecodeNames(data)
}

// idsWith are the tests that have an outcome, sorted.
func idsWith(names ratchet.Names, o ratchet.Outcome) []string {
	return slices.Sorted(maps.Keys(names.With(o)))
}
