package learn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
)

// ExportSchema is the name of the exported files' format.
const ExportSchema = "ralph.patterns/v1"

// Export is the shared memory in the shape of seed 001's files: paths below a
// folder, and their content. Dropped patterns are left out.
//
// The seed's fields are all there. Fields that cannot be derived have the
// seed's own "other"; a success rate counts the loops that taught a pattern
// beside those that were shown it.
func Export(all []Known, loops []loop.State) map[string]any {
	all = slices.DeleteFunc(slices.Clone(all), func(k Known) bool { return k.Review == Dropped })
	slices.SortFunc(all, func(a, b Known) int { return cmp.Compare(a.Num, b.Num) })
	return map[string]any{
		"shared/patterns/error-patterns.json":     file(all, ErrorFix, errorPattern),
		"shared/patterns/success-patterns.json":   file(all, Success, successPattern),
		"shared/patterns/anti-patterns.json":      file(all, Anti, antiPattern),
		"shared/memory/cross-task-learnings.json": learnings(all, loops),
	}
}

type patternFile[T any] struct {
	Schema   string `json:"schema"`
	Patterns []T    `json:"patterns"`
}

func file[T any](all []Known, kind Kind, shape func(Known) T) patternFile[T] {
	out := patternFile[T]{ExportSchema, []T{}}
	for _, k := range all {
		if k.Kind == kind {
			out.Patterns = append(out.Patterns, shape(k))
		}
	}
	return out
}

// common fields of the seed's patterns.
type exported struct {
	ID              string           `json:"pattern_id"`
	Review          Review           `json:"review"`
	UsageCount      int              `json:"usage_count"`
	SuccessRate     *float64         `json:"success_rate,omitempty"`
	FirstDiscovered *time.Time       `json:"first_discovered"`
	LastSeen        time.Time        `json:"last_seen"`
	SourceLoops     []exportedSource `json:"source_loops"`
	Tags            []string         `json:"tags"`
}

type exportedSource struct {
	LoopID        string    `json:"loop_id"`
	Iteration     int       `json:"iteration"`
	Timestamp     time.Time `json:"timestamp"`
	ContributedBy string    `json:"contributed_by"`
}

func base(k Known, kind string) exported {
	e := exported{
		ID: patternID(k, kind), Review: k.Review, UsageCount: k.Used,
		LastSeen: k.Updated.UTC(), SourceLoops: []exportedSource{}, Tags: slices.Concat(k.Languages, k.Words[:min(len(k.Words), 10)]),
	}
	if k.Kind == ErrorFix || k.Kind == Success {
		e.SuccessRate = new(successRate(k))
	}
	for _, s := range k.Sources {
		by := s.By
		if by == "" {
			by = "ralph"
		}
		e.SourceLoops = append(e.SourceLoops, exportedSource{s.Loop, s.Attempt, s.At.UTC(), by})
	}
	if n := len(k.Sources); n > 0 && n < mostSources {
		e.FirstDiscovered = new(k.Sources[n-1].At.UTC())
	}
	return e
}

// patternID is the seed's pat-error-<words>-<3 digits>; the number of the
// pattern stands among the words, since three digits do not last.
func patternID(k Known, kind string) string {
	slug := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, cmp.Or(k.Gate, k.Agent)), "-")
	return fmt.Sprintf("pat-%s-%s-%d-001", kind, cmp.Or(slug, "loop"), k.Num)
}

// successRate: each loop that taught the pattern is one in which it was true.
func successRate(k Known) float64 {
	if k.Seen+k.Decided == 0 {
		return 1
	}
	return float64(k.Seen+k.Helped) / float64(k.Seen+k.Decided)
}

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
