//go:build server

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// budgeted is a scene with a plan of two tasks, and an agent that reports what it cost and
// works once it is let.
func budgeted(t *testing.T, cost string) scene {
	s := newScene(t)
	s.write("a/plan.md", "# Two files\n\n### Task 1: first\n\n**Dependencies:** none\n\n- [ ] Write it.\n\n### Task 2: second\n\n**Dependencies:** none\n\n- [ ] Write it, too.\n")
	s.git(s.at("a"), "add", "-A")
	s.git(s.at("a"), "commit", "-q", "-m", "plan")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	s.write("paid.yaml", fmt.Sprintf(`attempts:
  - - usage: {input: 10, output: 10, cost: %[1]s}
    - sh: 'touch %[2]s/started-$RALPH_LOOP_ID; while ! test -e %[2]s/go; do sleep 0.05; done; echo done >> $RALPH_LOOP_ID'
`, cost, s.dir))
	return s
}

func (s scene) runBudgeted(more ...string) []string {
	return append([]string{
		"run", "plan.md", "--until", "true", "--proof", "none", "--agent", "script:" + s.at("paid.yaml"), "--sandbox", "off", "--yes",
	}, more...)
}

type shownPlan struct {
	Status, Reason string
	Budgets        []struct {
		Used struct {
			MoneyMicroUSD int64 `json:"money_micro_usd"`
		}
		Held struct {
			MoneyMicroUSD int64 `json:"money_micro_usd"`
		}
		Limit struct {
			MoneyMicroUSD int64 `json:"money_micro_usd"`
		}
		AssumedMicroUSD int64 `json:"assumed_micro_usd"`
	}
}

// planShown is a plan with its budget as a clone shows it.
func (s scene) planShown(clone, id string, more ...string) (p shownPlan) {
	s.Helper()
	if err := json.Unmarshal([]byte(s.ralph(clone, 0, append([]string{"show", id, "--json"}, more...)...)), &p); err != nil {
		s.Fatal(err)
	}
	if len(p.Budgets) != 1 {
		s.Fatalf("%+v", p)
	}
	return p
}

func (s scene) started() int {
	all, _ := filepath.Glob(s.at("started-*"))
	return len(all)
}

// TestBudgetOfAPlanOverTwoWorkers: both workers reserve from it, one is killed in the middle,
// and the sum is exact: what the killed run may have used counts as it was reserved.
func TestBudgetOfAPlanOverTwoWorkers(t *testing.T) {
	s := budgeted(t, "0.30")
	one := s.worker("one")
	s.worker("two")
	out := s.ralph("a", 0, s.runBudgeted("--budget", "plan.money=10USD", "--parallel", "2", "-d")...)
	id := planID.FindString(out)
	s.until("both agents work", func() bool { return s.started() == 2 })
	for _, clone := range []string{"a", "b"} {
		if b := s.planShown(clone, id).Budgets[0]; b.Held.MoneyMicroUSD != 2_000_000 || b.Used.MoneyMicroUSD != 0 {
			t.Errorf("%s: %+v", clone, b)
		}
	}
	s.signal(one, syscall.SIGKILL)
	s.write("go", "")
	s.ralph("b", 0, "wait", id)
	for _, clone := range []string{"a", "b"} {
		p := s.planShown(clone, id)
		if b := p.Budgets[0]; p.Status != "passed" || b.Used.MoneyMicroUSD != 1_600_000 || b.AssumedMicroUSD != 1_000_000 || b.Held.MoneyMicroUSD != 0 {
			t.Errorf("%s: %+v\n%s", clone, p, s.logs())
		}
		if out := s.ralph(clone, 0, "status", id); !strings.Contains(out, "about $1.60 of $10.00") {
			t.Errorf("%s: %s", clone, out)
		}
	}
}

// waited waits for the end of a plan, and returns the code.
func (s scene) waited(id string) int {
	_, code := s.try("b", "wait", id)
	return code
}

// TestSpentBudgetOfAPlan: the plan ends with the reason and the code that it has on one machine.
// Begun anew it has used nothing, and with more budget all its tasks are done.
func TestSpentBudgetOfAPlan(t *testing.T) {
	s := budgeted(t, "0.60")
	s.write("go", "")
	s.git(s.at("b"), "pull", "-q")
	run := s.runBudgeted("--budget", "plan.money=1USD", "--parallel", "1")
	alone, code := s.try("b", append(append([]string{}, run...), "--engine", "local")...)
	s.worker("one")
	out, got := s.try("a", run...)
	const why = "too little is left for another attempt: $0.40 left"
	if code == 0 || got != code || !strings.Contains(alone, why) || !strings.Contains(out, why) {
		t.Fatalf("%d, on one machine %d\n%s\non one machine:\n%s", got, code, out, alone)
	}
	id := planID.FindString(s.ralph("a", 0, s.runBudgeted("--budget", "plan.money=1USD", "--parallel", "1", "--fresh", "-d")...))
	if code := s.waited(id); code != got {
		t.Errorf("begun anew: %d, want %d", code, got)
	}
	if b := s.planShown("b", id).Budgets[0]; b.Used.MoneyMicroUSD != 600_000 {
		t.Errorf("begun anew: %+v", b)
	}
	s.ralph("a", 0, s.runBudgeted("--budget", "plan.money=9USD", "--fresh", "-d")...)
	s.ralph("b", 0, "wait", id)
	if b := s.planShown("b", id).Budgets[0]; b.Used.MoneyMicroUSD != 1_200_000 || b.Limit.MoneyMicroUSD != 9_000_000 {
		t.Errorf("%+v", b)
	}
}

// TestBudgetOfAPlanMoves: what a plan used of its budget on one machine counts on the server, and
// what it used there counts where it comes back.
func TestBudgetOfAPlanMoves(t *testing.T) {
	s := budgeted(t, "0.60")
	s.write("go", "")
	s.write("pause.yaml", "version: 1\nbudget: {on_spent: pause}\n")
	local := s.local().ralph
	out, code := s.local().try("a", s.runBudgeted("--budget", "plan.money=1USD", "--parallel", "1", "--config", s.at("pause.yaml"))...)
	_, id, _ := strings.Cut(out, "next: ralph resume ")
	id, _, _ = strings.Cut(id, " ")
	if code != 4 || id == "" {
		t.Fatalf("%d\n%s", code, out)
	}
	local("a", 0, "move", "plan.md", "--to", s.engine)
	for _, clone := range []string{"a", "b"} {
		if b := s.planShown(clone, id).Budgets[0]; b.Used.MoneyMicroUSD != 600_000 || b.Limit.MoneyMicroUSD != 1_000_000 {
			t.Errorf("moved, %s: %+v", clone, b)
		}
	}
	s.worker("one")
	if out, code := s.try("b", "resume", id); code != 4 || !strings.Contains(out, "too little is left for another attempt: $0.40 left") {
		t.Errorf("resumed on the server: %d\n%s", code, out)
	}
	s.ralph("b", 0, "resume", id, "--budget", "plan.money=+1USD")
	local("a", 0, "move", id, "--to", "local", "--engine", s.engine)
	if b := s.local().planShown("a", id).Budgets[0]; b.Used.MoneyMicroUSD != 1_200_000 || b.Limit.MoneyMicroUSD != 2_000_000 {
		t.Errorf("moved back: %+v", b)
	}
}
