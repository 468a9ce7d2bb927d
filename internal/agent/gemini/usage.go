package gemini

import (
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
	most := int64(0)
	for name, m := range s.Models {
		if m.Total > most {
			most = m.Total
			t.Began("", name, "")
		}
	}
	if s.Total == 0 {
		return // no answer came: nothing is known, not even zero
	}
	t.Used(loop.Usage{
		InputTokens: new(s.Input - s.Cached), OutputTokens: new(s.Output), CacheReadTokens: new(s.Cached),
	})
}
