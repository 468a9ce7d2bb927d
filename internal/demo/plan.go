package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// PlanFile is the plan of `ralph demo --plan`, in the project.
const PlanFile = "plan.md"

// PlanAttempts is the cap of each of its tasks.
const PlanAttempts = 4

// PlanAnnounced describes the expected course.
const PlanAnnounced = "Two tasks start at once. slugify fails three times in the same way, changes its approach, passes and lands. The agent of " +
	"truncate claims to be done, its tests fail, and the task fails on purpose. The guide waits for slugify, then asks a question."

// writePlan writes the plan, and the scenario of the task that is no story.
func (v Variant) writePlan(dir string, paced bool) error {
	text, script := asset("plan.md"), asset("guide.yaml")
	for _, s := range Stories() {
		text = strings.ReplaceAll(text, "TEST_"+strings.ToUpper(s.Name), v.Test(s))
	}
	if !paced {
		script = hurried(script)
	}
	if err := os.WriteFile(filepath.Join(dir, ProjectDir, PlanFile), []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the demonstration's plan: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, ScriptDir, "guide.yaml"), []byte(script), 0o644); err != nil {
		return fmt.Errorf("write the demonstration's scripts: %w", err)
	}
	return nil
}

// asset is a file that all variants have in common.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // embedded: a test reads them all
	}
	return string(text)
}

// PlanDiffers compares the record of the plan's run with the announcement, and
// returns a sentence per difference.
func PlanDiffers(s plan.State) []string {
	var out []string
	differ := func(what string, got, want any) {
		if got != want {
			out = append(out, fmt.Sprintf("plan: %s is %v, announced was %v", what, got, want))
		}
	}
	differ("status", s.Status, loop.StatusFailed)
	differ("reason", s.Reason, plan.SomeFailed)
	want := []plan.Status{plan.Done, plan.Failed, plan.Done}
	differ("number of tasks", len(s.Tasks), len(want))
	for i, status := range want[:min(len(want), len(s.Tasks))] {
		t := s.Tasks[i]
		differ(t.ID, t.Status, status)
		differ(t.ID+" landed", t.Landed != "", status == plan.Done)
	}
	return out
}
