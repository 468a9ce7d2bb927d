package coverage

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// detectJSON distinguishes the JSON formats by their top-level keys.
func detectJSON(data []byte) format {
	var top map[string]json.RawMessage
	if json.Unmarshal(data, &top) != nil {
		return unreadable("JSON", errors.New("it is not valid JSON, or cut short"))
	}
	switch {
	case has(top, "totals"):
		return format{"coverage.py", coveragePy, coveragePyFiles}
	case has(top, "data"):
		return format{"llvm-cov", llvmCov, llvmCovFiles}
	case has(top, "total"):
		return format{"Istanbul summary", istanbulSummary, istanbulSummaryFiles}
	case has(top, "result"):
		return format{"SimpleCov", simpleCov, nil}
	case simpleCovResults(top):
		return format{"SimpleCov result set", simpleCovSet, simpleCovFiles}
	case istanbulFiles(top):
		return format{"Istanbul", istanbulFinal, istanbulFinalFiles}
	}
	return format{}
}

// unreadable is a format whose reports are invalid from the start.
func unreadable(name string, err error) format {
	return format{name, func([]byte) (float64, error) { return 0, err }, func([]byte) ([]File, error) { return nil, err }}
}

func has(m map[string]json.RawMessage, key string) bool { _, ok := m[key]; return ok }

// numeric reads a JSON number or null; a string such as "Unknown" is refused.
func numeric(raw json.RawMessage, what string) (float64, error) {
	var v *float64
	if err := json.Unmarshal(raw, &v); err != nil || v == nil {
		return 0, fmt.Errorf("%s is %s, not a number", what, short(raw))
	}
	return inRange(*v)
}

func short(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "missing"
	}
	return strings.ToValidUTF8(string(raw[:min(len(raw), 40)]), "")
}

type counted struct {
	Covered *int64          `json:"covered"`
	Total   *int64          `json:"total"`
	Count   *int64          `json:"count"`
	Pct     json.RawMessage `json:"pct"`
	Percent json.RawMessage `json:"percent"`
}

// value prefers the counts to the rounded percentage.
func (c counted) value() (float64, error) {
	total := c.Total
	if total == nil {
		total = c.Count
	}
	if c.Covered != nil && total != nil {
		return ratio(*c.Covered, *total)
	}
	if len(c.Pct) > 0 {
		return numeric(c.Pct, "pct")
	}
	return numeric(c.Percent, "percent")
}

func istanbulSummary(data []byte) (float64, error) {
	var r struct {
		Total struct {
			Lines counted `json:"lines"`
		} `json:"total"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return 0, err
	}
	return r.Total.Lines.value()
}

// istanbulSummaryFiles are the members beside the total.
func istanbulSummaryFiles(data []byte) ([]File, error) {
	var all map[string]struct {
		Lines counted `json:"lines"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	delete(all, "total")
	var out []File
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f, err := all[name].Lines.file(name)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// file is the counts of one file; a percentage alone could not be summed.
func (c counted) file(name string) (File, error) {
	total := c.Total
	if total == nil {
		total = c.Count
	}
	if c.Covered == nil || total == nil {
		return File{}, fmt.Errorf("%s has no counts of lines", name)
	}
	return File{name, *c.Covered, *total}, nil
}

func llvmCov(data []byte) (float64, error) {
	var r struct {
		Data []struct {
			Totals struct {
				Lines counted `json:"lines"`
			} `json:"totals"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return 0, err
	}
	if len(r.Data) != 1 {
		return 0, fmt.Errorf("%d exports in one report", len(r.Data))
	}
	return r.Data[0].Totals.Lines.value()
}

func llvmCovFiles(data []byte) ([]File, error) {
	var r struct {
		Data []struct {
			Files []struct {
				Name    string `json:"filename"`
				Summary struct {
					Lines counted `json:"lines"`
				} `json:"summary"`
			} `json:"files"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	if len(r.Data) != 1 {
		return nil, fmt.Errorf("%d exports in one report", len(r.Data))
	}
	var out []File
	for _, f := range r.Data[0].Files {
		one, err := f.Summary.Lines.file(f.Name)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func coveragePyFiles(data []byte) ([]File, error) {
	var r struct {
		Files map[string]struct {
			Summary struct {
				Covered *int64 `json:"covered_lines"`
				Total   *int64 `json:"num_statements"`
			} `json:"summary"`
		} `json:"files"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	var out []File
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		s := r.Files[name].Summary
		one, err := counted{Covered: s.Covered, Total: s.Total}.file(name)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func coveragePy(data []byte) (float64, error) {
	var r struct {
		Totals struct {
			Covered *int64          `json:"covered_lines"`
			Total   *int64          `json:"num_statements"`
			Percent json.RawMessage `json:"percent_covered"`
		} `json:"totals"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return 0, err
	}
	return counted{Covered: r.Totals.Covered, Total: r.Totals.Total, Percent: r.Totals.Percent}.value()
}

// simpleCov is coverage/.last_run.json.
func simpleCov(data []byte) (float64, error) {
	var r struct {
		Result struct {
			Line    json.RawMessage `json:"line"`
			Covered json.RawMessage `json:"covered_percent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return 0, err
	}
	if len(r.Result.Line) > 0 {
		return numeric(r.Result.Line, "result.line")
	}
	return numeric(r.Result.Covered, "result.covered_percent")
}
