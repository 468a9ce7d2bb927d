package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"ralph/internal/loop"
	ms "ralph/internal/testing/modelserver"
)

// stopTrials kill a process in the middle of a tool and look for leftovers.
func stopTrials() []trial {
	all := []trial{{
		name: "leaves", title: "a daemon is left behind", want: leaves, words: leavesWords,
		scene: plays(append(ms.Talk{ms.Do(ms.Run("setsid sleep 86399 >/dev/null 2>&1 </dev/null & echo left"))}, right()...)),
	}}
	for _, sig := range []struct {
		name  string
		value syscall.Signal
	}{{"TERM", syscall.SIGTERM}, {"KILL", syscall.SIGKILL}} {
		for _, who := range levels() {
			all = append(all, trial{
				name: strings.ToLower(sig.name) + who.name, title: "SIG" + sig.name + " to " + who.title + " while a tool runs",
				scene: plays(busy(), right()), act: strike(who, sig.value), want: resumed(who, sig.value), words: struckWords,
			})
		}
	}
	return all
}

// toolLine is the tool's command: one process in the tool's session, one in a
// new session.
const toolLine = "setsid sleep 86397 & sleep 86398"

func busy() ms.Talk { return ms.Talk{ms.Do(ms.Run(toolLine)), ms.Say("All done.")} }

// level is one of the processes between the user and an agent's tool.
type level struct {
	name, title string
	// find returns its pid.
	find func(*running) int
}

func levels() []level {
	return []level{
		{"ralph", "ralph", (*running).pid},
		{"shim", "its shim", shim},
		{"agent", "the agent", func(r *running) int { return child(shim(r), "") }},
	}
}

func shim(r *running) int { return child(r.pid(), "__shim") }

// child returns the first child whose command line contains the word.
func child(parent int, word string) int {
	for _, p := range children(parent) {
		if strings.Contains(p.line, word) {
			return p.pid
		}
	}
	return 0
}

// strike waits until the tool runs, sends the signal, waits until no process
// runs, and resumes the loop where necessary.
func strike(who level, sig syscall.Signal) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		r := s.start(ctx)
		defer r.end()
		if err := r.until(ctx, func() bool { return sleeping(s) }); err != nil {
			return err
		}
		pid := who.find(r)
		if pid == 0 {
			return errors.New("the process was not found")
		}
		if err := send(pid, sig); err != nil {
			return err
		}
		if err := r.over(ctx); err != nil {
			return err
		}
		return s.checkEnded(ctx, who)
	}
}

// sleeping reports whether both processes of the tool run.
func sleeping(s *stage) bool {
	n := 0
	for _, p := range marked(s.mark) {
		if p.line == "sleep 86397" || p.line == "sleep 86398" {
			n++
		}
	}
	return n == 2
}

// checkEnded checks that all processes have ended, and continues.
func (s *stage) checkEnded(ctx context.Context, who level) error {
	if left := s.alive(gone); len(left) > 0 {
		return fmt.Errorf("%d processes run on: %q", len(left), left[0].line)
	}
	o, err := s.object(ctx)
	if err != nil || o.Status.Terminal() {
		return err
	}
	s.cut = string(o.Status)
	if who.name != "ralph" {
		return fmt.Errorf("the loop is left %s: %s", o.Status, o.Message)
	}
	out, err := s.ralph(ctx, "resume", loopID, "--json")
	if err == nil && out.Code != 0 {
		err = fmt.Errorf("ralph resume: exit %d: %s", out.Code, tail(out.Stderr))
	}
	return err
}

// resumed expects that the loop continues and passes in the same attempt where
// ralph was killed, and that the attempt is used up where the agent was.
func resumed(who level, _ syscall.Signal) func(*sight) {
	return func(s *sight) {
		if who.name == "ralph" {
			s.ends(loop.StatusPassed, "", loop.EndDone)
			if s.object.Iteration != 1 || s.last().Interruptions != 1 {
				s.complain("iteration %d, interruptions %d", s.object.Iteration, s.last().Interruptions)
			}
			return
		}
		s.ends(loop.StatusFailed, loop.MaxAttempts, loop.EndFailed)
	}
}

func struckWords(s *sight) string {
	switch {
	case len(s.wrong) > 0:
		return ""
	case s.cut != "":
		return "nothing runs on; resumed, passed"
	}
	return "nothing runs on; the attempt failed"
}

func leaves(s *sight) {
	s.ends(loop.StatusPassed, "", loop.EndDone)
}

func leavesWords(s *sight) string {
	if len(s.wrong) > 0 {
		return ""
	}
	return "ended; passed"
}
