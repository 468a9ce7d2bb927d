package learn

import (
	"cmp"
	"fmt"
	"slices"
)

type errorSignature struct {
	Type    string   `json:"error_type"`
	Pattern string   `json:"error_pattern"`
	Hash    string   `json:"error_hash"`
	Lines   []string `json:"lines"`
	Hints   []string `json:"error_location_hints"`
}

type fixApproach struct {
	Description string `json:"description"`
	Category    string `json:"fix_category"`
}

type exportedError struct {
	exported
	Signature errorSignature `json:"error_signature"`
	Fix       fixApproach    `json:"fix_approach"`
	Diff      string         `json:"diff_pattern"`
}

func errorPattern(k Known) exportedError {
	text := headline(append(slices.Clone(k.Error), k.Text, k.Summary))
	return exportedError{
		exported: base(k, "error"),
		Signature: errorSignature{
			Type: errorType(k), Pattern: text, Hash: k.Fingerprint,
			Lines: append([]string{}, k.Error...), Hints: append([]string{}, k.Failing...),
		},
		Fix:  fixApproach{describe(k), fixCategory(k)},
		Diff: k.Diff,
	}
}

type successApproach struct {
	Description string   `json:"description"`
	Steps       []string `json:"steps"`
}

type iterations struct {
	Average float64 `json:"average"`
	Minimum int     `json:"minimum"`
	Maximum int     `json:"maximum"`
}

type exportedSuccess struct {
	exported
	Category   string          `json:"task_category"`
	Approach   successApproach `json:"approach"`
	Tools      []string        `json:"tools_used"`
	Iterations iterations      `json:"typical_iterations"`
	Average    float64         `json:"average_iterations"`
}

func successPattern(k Known) exportedSuccess {
	average := float64(k.Attempts.Sum) / float64(max(k.Seen, 1))
	return exportedSuccess{
		exported: base(k, "success"), Category: "implementation",
		Approach: successApproach{describe(k), append([]string{}, k.Gates...)}, Tools: names([]string{k.Agent}, 1, mostName),
		Iterations: iterations{average, k.Attempts.Fewest, k.Attempts.Most}, Average: average,
	}
}

type exportedAnti struct {
	exported
	Approach    string   `json:"approach_description"`
	Failure     string   `json:"failure_mode"`
	FailureRate float64  `json:"failure_rate"`
	Occurrences int      `json:"occurrence_count"`
	Symptoms    []string `json:"failure_symptoms"`
	Diff        string   `json:"diff_pattern"`
}

func antiPattern(k Known) exportedAnti {
	mode := "repeated_same_error"
	if k.Fell {
		mode = "quality_degradation"
	}
	return exportedAnti{base(k, "anti"), describe(k), mode, 1, max(k.Seen, 1), append([]string{}, k.Error...), k.Diff}
}

// describe is a description of at least 20 characters.
func describe(k Known) string {
	text := cmp.Or(k.Text, k.Summary)
	if len(text) < 20 {
		text = fmt.Sprintf("%s (%s, note %d)", text, k.Kind, k.Num)
	}
	return text
}
