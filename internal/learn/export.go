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
// folder, and what belongs there. What is dropped stays out.
//
// The seed's fields are all there. What nobody can tell mechanically is the
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
