package loop

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestValidID(t *testing.T) {
	t.Parallel()
	for id, ok := range map[string]bool{
		"a": true, "ralph-fix-tests-0123abcd": true, "7.x_y-z": true, strings.Repeat("a", 64): true,
		"": false, ".": false, "..": false, "a..b": false, "../x": false, "a/b": false, `a\b`: false, "A": false,
		"-a": false, ".a": false, "a.": false, "a.lock": false, "a b": false, "a\n": false, "é": false,
		strings.Repeat("a", 65): false,
	} {
		if err := ValidID(id); (err == nil) != ok {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	nan, five := math.NaN(), 5.0
	for name, c := range map[string]struct {
		change func(*Spec)
		want   string
	}{
		"ready":            {func(*Spec) {}, ""},
		"bad id":           {func(s *Spec) { s.ID = "../x" }, "loop id"},
		"empty task":       {func(s *Spec) { s.Task.Text = " \n" }, "empty"},
		"unknown mode":     {func(s *Spec) { s.Mode = "solo" }, "mode"},
		"agent-driven":     {func(s *Spec) { s.Mode = AgentDriven }, ""},
		"no gate":          {func(s *Spec) { s.Gates = nil }, "no hard gate"},
		"only soft":        {func(s *Spec) { s.Gates[0].Level = Soft }, "no hard gate"},
		"only optional":    {func(s *Spec) { s.Gates[0].Optional = true }, "no hard gate"},
		"only a review":    {func(s *Spec) { s.Gates[0].Kind = KindReview }, ""},
		"nameless gate":    {func(s *Spec) { s.Gates[0].Name = "" }, "name"},
		"same name twice":  {func(s *Spec) { s.Gates = append(s.Gates, s.Gates[0]) }, "twice"},
		"a threshold":      {func(s *Spec) { s.Gates[0].Threshold = &five }, ""},
		"no number":        {func(s *Spec) { s.Gates[0].Threshold = &nan }, "not a number"},
		"gate timeout":     {func(s *Spec) { s.Gates[0].Timeout.Hard = -1 }, "negative"},
		"no attempts":      {maxIterations(0), "max_iterations"},
		"one attempt":      {maxIterations(1), ""},
		"no confirmation":  {limits(func(l *Limits) { l.ConfirmPasses = 0 }), "confirm_passes"},
		"stuck after none": {limits(func(l *Limits) { l.StuckAfter = 0 }), "stuck_after"},
		"fewer than none":  {limits(func(l *Limits) { l.MaxShifts = -1 }), "max_shifts"},
		"no patience":      {limits(func(l *Limits) { l.Transient, l.Interruptions, l.Questions = 0, 0, 0 }), ""},
		"back in time":     {limits(func(l *Limits) { l.BackOff = -time.Second }), "back_off"},
		"loop timeout":     {limits(func(l *Limits) { l.Loop.Soft = -1 }), "loop timeout"},
	} {
		spec := Spec{ID: "a", Task: Task{Text: "x"}, Gates: []Gate{{Name: "g", Level: Hard}}, Limits: DefaultLimits()}
		c.change(&spec)
		switch err := spec.Validate(); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		case c.want == "no hard gate" && !errors.Is(err, ErrNoHardGate):
			t.Errorf("%s: not ErrNoHardGate", name)
		}
	}
}
