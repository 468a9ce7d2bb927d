//go:build server

package main

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
)

// budgetShown is a loop with its own budget as a clone shows it.
type budgetShown struct {
	Status, Reason, Next string
	Iteration            int
	Budgets              []struct {
		Used, Limit struct {
			MoneyMicroUSD int64 `json:"money_micro_usd"`
		}
	}
}

func (s scene) loopShown(clone, id string) (l budgetShown) {
	s.Helper()
	if err := json.Unmarshal([]byte(s.ralph(clone, 0, "show", id, "--json")), &l); err != nil {
		s.Fatal(err)
	}
	if len(l.Budgets) != 1 {
		s.Fatalf("%+v", l)
	}
	return l
}

// TestBudgetOfALoopIsRaisedFromAnotherClone: whichever worker continues the loop has the new
// budget, also one that never had the loop, and so does each clone. Two that raise it at once both do.
func TestBudgetOfALoopIsRaisedFromAnotherClone(t *testing.T) {
	s := budgeted(t, "0.60")
	s.write("go", "")
	s.write("pause.yaml", "version: 1\nbudget: {on_spent: pause}\n")
	one := s.worker("one")
	run := []string{
		"run", "say", "--until", "false", "--proof", "none", "--agent", "script:" + s.at("paid.yaml"), "--sandbox", "off",
		"--config", s.at("pause.yaml"), "--loop-id", "dear", "--budget", "1USD",
	}
	if out, code := s.try("a", run...); code != 4 || !strings.Contains(out, "ralph resume dear --budget 2USD") {
		t.Fatalf("%d\n%s", code, out)
	}
	if l := s.loopShown("b", "dear"); l.Iteration != 1 || l.Status != "paused" || l.Reason != "budget" || l.Budgets[0].Limit.MoneyMicroUSD != 1_000_000 {
		t.Fatalf("%+v", l)
	}
	s.signal(one, syscall.SIGKILL)
	s.worker("two")
	if out, code := s.try("b", "resume", "dear", "--budget", "+0.50USD"); code != 4 || !strings.Contains(out, "ralph resume dear --budget 3USD") {
		t.Fatalf("%d\n%s\n%s", code, out, s.logs())
	}
	for _, clone := range []string{"a", "b"} {
		if l := s.loopShown(clone, "dear"); l.Iteration != 2 || l.Budgets[0].Limit.MoneyMicroUSD != 1_500_000 || l.Budgets[0].Used.MoneyMicroUSD != 1_200_000 {
			t.Errorf("%s: %+v", clone, l)
		}
	}
	if err := errors.Join(os.Remove(s.at("go")), os.Remove(s.at("started-dear"))); err != nil {
		t.Fatal(err)
	}
	s.ralph("a", 0, "resume", "dear", "--budget", "+0.50USD", "-d")
	s.until("the agent works", func() bool { return s.started() == 1 })
	for _, clone := range []string{"a", "b"} { // before the worker has read what the first one asked for
		if out := s.ralph(clone, 0, "resume", "dear", "--budget", "+0.25USD"); !strings.Contains(out, "budget of task dear: +0.25USD") {
			t.Error(out)
		}
	}
	s.write("go", "")
	if out, code := s.try("b", "wait", "dear"); code != 4 {
		t.Fatalf("%d\n%s\n%s", code, out, s.logs())
	}
	if l := s.loopShown("b", "dear"); l.Iteration != 4 || l.Budgets[0].Limit.MoneyMicroUSD != 2_500_000 || l.Budgets[0].Used.MoneyMicroUSD != 2_400_000 {
		t.Errorf("%+v", l)
	}
}
