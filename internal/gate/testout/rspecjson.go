package testout

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// rspecOwn matches descriptions that RSpec makes itself. They differ with how an example
// ends: where it raises an error before its first expectation, they are places.
var rspecOwn = lazyregexp.New(`^(?:is expected (?:not )?to |example at \S+:\d+)`)

// rspecUnnamed stands for such a description.
const rspecUnnamed = "(an example without a name)"

// RSpecJSON reads what RSpec's JSON formatter writes.
func RSpecJSON(data []byte) (Report, error) {
	var doc struct {
		Examples []struct {
			Description string `json:"description"`
			Full        string `json:"full_description"`
			File        string `json:"file_path"`
			Status      string `json:"status"`
			Exception   struct {
				Message string `json:"message"`
			} `json:"exception"`
		} `json:"examples"`
		Line *string `json:"summary_line"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return Report{}, fmt.Errorf("read RSpec's report: %w", err)
	}
	if doc.Line == nil {
		return Report{}, fmt.Errorf("read RSpec's report: it has no summary")
	}
	var r Report
	for _, x := range doc.Examples {
		if rspecOwn.MatchString(x.Description) {
			x.Full = strings.TrimSpace(strings.TrimSuffix(x.Full, x.Description)) + " " + rspecUnnamed
		}
		switch id := x.File + " " + x.Full; x.Status {
		case "passed":
			r.pass(id)
		case "pending":
			r.skip(id)
		default:
			r.fail(id, firstOf(x.Exception.Message))
		}
	}
	r = r.finish()
	r.Format = Generic
	return r, nil
}

// firstOf is the first error in a message.
func firstOf(message string) string {
	var first firstError
	for line := range strings.Lines(message) {
		first.add(line)
	}
	return first.String()
}

// Named adds the names of tests that the same run wrote into reports, where they are of as many
// tests as it printed, or of as many as it printed without a name. PHPUnit has a test without a
// class where a provider of data or a whole class could not be read.
func (r Report) Named(by Report) Report {
	names := slices.DeleteFunc(slices.Clone(by.Cases), func(c Case) bool { return c.ID == "Error" || c.ID == "Warning" })
	printed := 0
	for _, c := range r.Cases {
		if c.Outcome != Skipped {
			printed++
		}
	}
	switch {
	case by.Run == r.Run:
		r.Cases = names
	case len(names) > 0 && printed+by.Run == r.Run:
		r.Cases = append(slices.Clip(r.Cases), names...)
		sortCases(r.Cases)
		r.Partial = false
	default:
		r.Unread = r.Unread || len(by.Cases) > 0
	}
	return r
}
