package coverage

import (
	"encoding/json"
	"errors"
	"fmt"
)

// istanbulFile is one file of coverage-final.json: where statements stand and
// how often each ran. Its lines are the first lines of its statements.
type istanbulFile struct {
	Map map[string]struct {
		Start struct {
			Line int `json:"line"`
		} `json:"start"`
	} `json:"statementMap"`
	Hits map[string]int64 `json:"s"`
}

func istanbulFiles(top map[string]json.RawMessage) bool {
	return every(top, func(f map[string]json.RawMessage) bool { return has(f, "statementMap") && has(f, "s") })
}

// every: all values are objects of one shape, and there is at least one.
func every(top map[string]json.RawMessage, shape func(map[string]json.RawMessage) bool) bool {
	for _, raw := range top {
		var f map[string]json.RawMessage
		if json.Unmarshal(raw, &f) != nil || !shape(f) {
			return false
		}
	}
	return len(top) > 0
}

func istanbulFinal(data []byte) (float64, error) { return percentOf(istanbulFinalFiles(data)) }

func istanbulFinalFiles(data []byte) ([]File, error) {
	var files map[string]istanbulFile
	if err := json.Unmarshal(data, &files); err != nil {
		return nil, err
	}
	all := map[string]map[int]bool{}
	for name, f := range files {
		lines := map[int]bool{}
		for id, at := range f.Map {
			hits, ok := f.Hits[id]
			if !ok {
				return nil, fmt.Errorf("%s: statement %s has no count", name, id)
			}
			lines[at.Start.Line] = lines[at.Start.Line] || hits > 0
		}
		all[name] = lines
	}
	return tallied(all), nil
}

func tally[K comparable](lines map[K]bool) (covered, total int64) {
	for _, hit := range lines {
		if hit {
			covered++
		}
	}
	return covered, int64(len(lines))
}

// simpleCovResults: .resultset.json, one entry for each command that ran.
func simpleCovResults(top map[string]json.RawMessage) bool {
	return every(top, func(f map[string]json.RawMessage) bool { return has(f, "coverage") && has(f, "timestamp") })
}

// simpleCovSet merges the commands. A line is null where there is nothing to
// cover; older versions hold the array itself, newer ones {"lines": array}.
func simpleCovSet(data []byte) (float64, error) { return percentOf(simpleCovFiles(data)) }

func simpleCovFiles(data []byte) ([]File, error) {
	var set map[string]struct {
		Coverage map[string]json.RawMessage `json:"coverage"`
	}
	if err := json.Unmarshal(data, &set); err != nil {
		return nil, err
	}
	all := map[string]map[int]bool{}
	for _, command := range set {
		for file, raw := range command.Coverage {
			counts, err := simpleCovLines(raw)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			lines := all[file]
			if lines == nil {
				lines = map[int]bool{}
				all[file] = lines
			}
			for i, n := range counts {
				var hits int64
				if n == nil || json.Unmarshal(*n, &hits) != nil {
					continue // null, or "ignored"
				}
				lines[i] = lines[i] || hits > 0
			}
		}
	}
	return tallied(all), nil
}

func simpleCovLines(raw json.RawMessage) ([]*json.RawMessage, error) {
	var list []*json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		return list, nil
	}
	var f struct {
		Lines []*json.RawMessage `json:"lines"`
	}
	if json.Unmarshal(raw, &f) != nil || f.Lines == nil {
		return nil, errors.New("it has no lines")
	}
	return f.Lines, nil
}
