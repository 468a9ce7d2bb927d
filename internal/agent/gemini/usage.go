package gemini

import (
	"maps"
	"slices"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// stats is what was used. Cached input is part of the input.
type stats struct {
	Total  stream.Count     `json:"total_tokens"`
	Input  stream.Count     `json:"input_tokens"`
	Output stream.Count     `json:"output_tokens"`
	Cached stream.Count     `json:"cached"`
	Models map[string]stats `json:"models"`
}

func (s stats) tell(t *stream.Tally) {
	t.Began("", s.model(), "")
	if s.Total == 0 {
		return // no answer came: nothing is known, not even zero
	}
	t.Used(loop.Usage{
		InputTokens: (s.Input - s.Cached).Int(), OutputTokens: s.Output.Int(), CacheReadTokens: s.Cached.Int(),
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
