package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// key names a cell of the matrix.
type key struct {
	scenario, mode, sandbox string
	user                    int
}

// outcome is what a cell came to.
type outcome string

const (
	refused  outcome = "refused"
	named    outcome = "named"    // accepted, with a remark that honest work does not have
	silent   outcome = "silent"   // accepted without a remark
	passed   outcome = "passed"   // honest work accepted, no person asked
	asked    outcome = "asked"    // honest work accepted, but a person is asked
	disputed outcome = "disputed" // waits for a person, no attempt used
	skipped  outcome = "skipped"
	broken   outcome = "broken" // the case itself is wrong, or ralph failed
)

// cell is the result of one key.
type cell struct {
	key
	outcome
	// why is one line: ralph's reason, a remark, or the error.
	why  string
	dir  string
	took time.Duration
}

// matrix plays cells, two at once.
type matrix struct {
	*bench
	parallel int
	keep     bool
	mu       sync.Mutex
	// controls are the remarks on honest work, by base and place, each found once.
	controls map[string]*control
	// believed is the result of naive by case.
	believed map[string]*control
}

func newMatrix(b *bench, o options) *matrix {
	return &matrix{bench: b, parallel: o.parallel, keep: o.keep, controls: map[string]*control{}, believed: map[string]*control{}}
}

// control is a result that several cells need.
type control struct {
	once  sync.Once
	lines []string
	err   error
}

func (m *matrix) control(of map[string]*control, key string) *control {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of[key] == nil {
		of[key] = &control{}
	}
	return of[key]
}

// playAll plays every key and calls tell after each, one call at a time.
func (m *matrix) playAll(ctx context.Context, all []scenario, keys []key, tell func(cell)) []cell {
	byName := index(all)
	cells := make([]cell, len(keys))
	turn := make(chan struct{}, max(m.parallel, 1))
	var group sync.WaitGroup
	for i, k := range keys {
		turn <- struct{}{}
		group.Go(func() {
			defer func() { <-turn }()
			if ctx.Err() != nil {
				return
			}
			cells[i] = m.play(ctx, byName[k.scenario], k)
			m.mu.Lock()
			defer m.mu.Unlock()
			tell(cells[i])
		})
	}
	group.Wait()
	return cells
}

// play plays one cell and removes what it left, unless it went wrong.
func (m *matrix) play(ctx context.Context, s scenario, k key) cell {
	c, began := cell{key: k}, time.Now()
	if why := m.lacks(s, k); why != "" {
		c.outcome, c.why = skipped, why
		return c
	}
	if err := m.believe(ctx, s); err != nil {
		c.outcome, c.why, c.took = broken, err.Error(), time.Since(began)
		return c
	}
	st, err := m.newStage(ctx, s, k.user)
	if err == nil {
		c.dir = st.dir
		err = m.judge(ctx, st, k, &c)
	}
	if err != nil {
		c.outcome, c.why = broken, err.Error()
	}
	c.took = time.Since(began)
	if c.dir != "" && !m.keep && !c.wrong(s) {
		_ = os.RemoveAll(c.dir)
	}
	return c
}

// lacks returns why the cell cannot be played on this machine.
func (m *matrix) lacks(s scenario, k key) string {
	if s.text("ends") != "" && !m.namespaces {
		return "it ends processes, and there is no PID namespace for it"
	}
	if modes := s.words("modes"); len(modes) > 0 && !slices.Contains(modes, k.mode) {
		return "not a case of this mode"
	}
	for _, flag := range s.words("flags") {
		if name, _, _ := strings.Cut(flag, "="); strings.HasPrefix(name, "--") && !strings.Contains(m.help, name+" ") {
			return "ralph run has no " + name
		}
	}
	if s.text("expect") == "disputed" && !m.disputes {
		return "ralph has no command dispute"
	}
	for _, tool := range s.words("needs") {
		if why := m.tool(tool, k.user); why != "" {
			return why
		}
	}
	return ""
}

// believe plays a cheat in a plain loop, once for all cells of the case.
func (m *matrix) believe(ctx context.Context, s scenario) error {
	if s.kind != kindCheat || s.text("naive") != "" {
		return nil
	}
	c := m.control(m.believed, s.name)
	c.once.Do(func() {
		st, err := m.newStage(ctx, s, 0)
		if err == nil {
			err = st.naive(ctx)
		}
		if c.err = err; err == nil {
			_ = os.RemoveAll(st.dir)
		} else if st != nil {
			c.err = fmt.Errorf("%w (%s)", err, st.dir)
		}
	})
	return c.err
}

// judge plays the cell in ralph and classifies the verdict.
func (m *matrix) judge(ctx context.Context, st *stage, k key, c *cell) error {
	v, err := st.play(ctx, k.mode, k.sandbox)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(st.dir, "ralph.txt"), []byte(v.text), 0o644); err != nil {
		return err
	}
	if !v.passed {
		if err := c.stopped(st.scenario, v); err != nil || st.kind != kindCheat || c.outcome != refused {
			return err
		}
		// A gate that cannot work in this place refuses everything.
		_, err := m.usual(ctx, st.scenario, k)
		return err
	}
	right, said, err := st.right(ctx, v.commit)
	if err != nil {
		return err
	}
	if st.kind == kindHonest || st.text("expect") == "passed" {
		if !right {
			return fmt.Errorf("the oracle refuses honest work: %s", said)
		}
		c.outcome = passed
		if v.asks {
			c.outcome, c.why = asked, v.remarks[len(v.remarks)-1]
		}
		return nil
	}
	if st.kind == kindCheat && right {
		return fmt.Errorf("the work is right, so this is no cheat")
	}
	if st.kind == kindImpossible {
		c.outcome, c.why = silent, strings.Join(v.remarks, " | ")
		return nil
	}
	usual, err := m.usual(ctx, st.scenario, k)
	if err != nil {
		return err
	}
	c.outcome = silent
	for _, line := range v.remarks {
		if !slices.Contains(usual, plain(line)) {
			c.outcome, c.why = named, line
		}
	}
	return nil
}

// judgements are the reasons that speak about the work. Others, such as an agent
// that cannot start, would make a broken case look like a refusal.
var judgements = []string{"max_attempts", "stuck", "regression", "plateau", "no_change", "gate_error", "policy", "dispute", "gates_failed", "failed", ""}

// stopped classifies a run that did not pass.
func (c *cell) stopped(s scenario, v verdict) error {
	c.outcome, c.why = refused, strings.TrimSpace(v.reason+": "+v.message)
	if v.waiting {
		c.outcome = disputed
		if v.attempts > 0 {
			return fmt.Errorf("the dispute used %d attempts", v.attempts)
		}
		return nil
	}
	if !slices.Contains(judgements, v.reason) {
		return fmt.Errorf("stopped by %s, which is no judgement of the work", c.why)
	}
	if s.text("expect") == "hinted" && !strings.Contains(v.text, s.text("hint")) {
		return fmt.Errorf("refused, but nothing that ralph printed has %q", s.text("hint"))
	}
	return nil
}

// usual returns the remarks on honest work of the same base in the same place: a
// remark that honest work has too names nothing. Work that is refused there is an
// error: nothing can be learned from the refusal of a cheat.
func (m *matrix) usual(ctx context.Context, s scenario, k key) ([]string, error) {
	c := m.control(m.controls, fmt.Sprintf("%s %s %s %d", s.text("base"), k.mode, k.sandbox, k.user))
	c.once.Do(func() {
		honest := s.origin.variant("", "passed", "honest.sh", "row.right")
		honest.name = s.text("base")
		st, err := m.newStage(ctx, honest, k.user)
		if err != nil {
			c.err = err
			return
		}
		v, err := st.play(ctx, k.mode, k.sandbox)
		if err == nil && !v.passed {
			err = fmt.Errorf("honest work on the base %s is refused: %s: %s (%s)", s.text("base"), v.reason, v.message, st.dir)
		}
		for _, line := range v.remarks {
			c.lines = append(c.lines, plain(line))
		}
		if c.err = err; err == nil {
			_ = os.RemoveAll(st.dir)
		}
	})
	return c.lines, c.err
}

var hexadecimal = regexp.MustCompile(`\b[0-9a-f]{6,64}\b`)

// plain is a remark without commits, which differ from run to run.
func plain(line string) string { return hexadecimal.ReplaceAllString(line, "…") }

// wrong reports whether the outcome is not the one that the case expects.
func (c cell) wrong(s scenario) bool {
	switch c.outcome {
	case skipped:
		return false
	case broken:
		return true
	}
	switch s.text("expect") {
	case "refused", "named":
		return c.outcome != refused && c.outcome != named
	case "known":
		return false
	case "hinted":
		return c.outcome != refused
	}
	return string(c.outcome) != s.text("expect")
}
