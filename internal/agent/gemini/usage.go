package gemini

import (
	"maps"
	"slices"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// stats is what was used. Cached input is part of the input.
type stats struct {
	Total  int64            `json:"total_tokens"`
	Input  int64            `json:"input_tokens"`
	Output int64            `json:"output_tokens"`
	Cached int64            `json:"cached"`
	Models map[string]stats `json:"models"`
}

func (s stats) tell(t *stream.Tally) {
	t.Began("", s.model(), "")
	if s.Total == 0 {
		return // no answer came: nothing is known, not even zero
	}
	t.Used(loop.Usage{
		InputTokens: new(s.Input - s.Cached), OutputTokens: new(s.Output), CacheReadTokens: new(s.Cached),
	})
}

// model is the one that did most of the work; the others chose it.
func (s stats) model() (most string) {
	for _, name := range slices.Sorted(maps.Keys(s.Models)) {
		if s.Models[name].Total > s.Models[most].Total {
			most = name
		}
	}
	return most
}
