package coverage

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// detectJSON tells the JSON formats apart by their top-level keys.
func detectJSON(data []byte) (string, readFunc) {
	var top map[string]json.RawMessage
	if json.Unmarshal(data, &top) != nil {
		return "JSON", func([]byte) (float64, error) { return 0, errors.New("it is not valid JSON, or cut short") }
	}
	switch {
	case has(top, "totals"):
		return "coverage.py", coveragePy
	case has(top, "data"):
		return "llvm-cov", llvmCov
	case has(top, "total"):
		return "Istanbul summary", istanbulSummary
	case has(top, "result"):
		return "SimpleCov", simpleCov
	case simpleCovResults(top):
		return "SimpleCov result set", simpleCovSet
	case istanbulFiles(top):
		return "Istanbul", istanbulFinal
	}
	return "", nil
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
