package serve

import (
	"encoding/json"
	"fmt"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/engine/local"
	"ralph/internal/view"
)

// failures remembers the last failed round, which is reported once in a row.
type failures struct{ last string }

func (f *failures) repeat(d local.Did) bool {
	before := f.last
	f.last = ""
	if d.ID == "" {
		f.last = d.Err.Error()
	}
	return f.last != "" && f.last == before
}

// tell reports an action.
func (s *served) tell(p *project.Project, d local.Did) {
	s.print.Lock()
	defer s.print.Unlock()
	s.line(reported(d, p.Root(), s.Now()))
}

func reported(d local.Did, root string, at time.Time) view.Served {
	line := view.Served{At: at, Repository: root, LoopID: d.ID, Reason: string(d.Reason), Detail: d.Why}
	if d.ID != "" {
		line.Event, line.Try = d.Name(), d.After.Tries
	}
	if d.Err != nil {
		line.Event, line.Detail = "rescue_failed", d.Err.Error()
	}
	return line
}

func (s *served) note(p *project.Project, what string) {
	s.print.Lock()
	defer s.print.Unlock()
	s.line(view.Served{At: s.Now(), Repository: p.Root(), Event: "serving", Detail: what})
}

func (s *served) line(l view.Served) {
	if !s.JSON {
		s.Say("%s", l.Line())
		return
	}
	l.Schema = view.ServedSchema
	l.At = l.At.UTC()
	if data, err := json.Marshal(l); err == nil {
		fmt.Fprintf(s.Out, "%s\n", data)
	}
}
