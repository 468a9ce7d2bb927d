package move_test

import (
	"encoding/json"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// beginNested makes a plan with others in the places of its tasks, which is paused: p-in has
// landed, p-half is half done, with p-deep in its own task's place, which is paused, p-wait was
// to begin anew, and p-new has not begun.
func (w *planWorld) beginNested(c *clone) plan.State {
	w.Helper()
	w.ids, w.tasks = []string{"p", "p-in", "p-half", "p-deep", "p-wait"}, []string{"p-a", "p-in-a", "p-half-a", "p-deep-a"}
	deep := named("p-deep", nil)
	w.inner["p-half"] = deep
	w.inner["p"] = map[string]engine.InnerPlan{}
	for _, all := range []map[string]engine.InnerPlan{named("p-in", nil), named("p-half", deep), named("p-wait", nil), named("p-new", nil)} {
		for path, in := range all {
			w.inner["p"][path] = in
		}
	}
	at, rules := plan.Stamp{At: noon}, plan.Rules{Parallel: 4, PerTask: 3, OnFailure: plan.Skip}
	read := func(tasks ...string) (events []plan.Event) {
		e := plan.Read{Stamp: at, Title: "P", SHA256: "1"}
		for _, id := range tasks {
			e.Tasks = append(e.Tasks, plan.ReadTask{ID: id, Title: id, Digest: id})
		}
		return []plan.Event{e, plan.Opened{Stamp: at, Owner: "o"}}
	}
	begins := func(task, loop string, inner bool, from string) plan.Event {
		return plan.Started{Stamp: at, Task: task, Loop: loop, From: from, Most: 3, Child: inner}
	}
	lands := func(task, id, onto string) []plan.Event {
		return []plan.Event{
			plan.Stopped{Stamp: at, Task: task, Loop: id, Status: loop.StatusPassed, Commit: "c-" + id, Attempts: 1, Progress: true},
			plan.LandBegan{Stamp: at, Task: task, Onto: onto},
			plan.Landed{Stamp: at, Task: task, Commit: "c-" + id},
		}
	}
	pauses := func(task, id string) []plan.Event {
		return []plan.Event{plan.PauseAsked{Stamp: at}, plan.Stopped{Stamp: at, Task: task, Loop: id, Status: loop.Paused}}
	}
	paused := plan.Rested{Stamp: at, Status: loop.Paused, Message: "paused on request"}
	join := func(parts ...[]plan.Event) (all []plan.Event) {
		for _, part := range parts {
			all = append(all, part...)
		}
		return all
	}
	one := func(e ...plan.Event) []plan.Event { return e }

	w.task(c, "p-in", "p-in-a", "passed")
	reviewed := rules
	reviewed.Review = true
	w.record(c, w.request(c, "p-in", "p"), reviewed, join(read("a"), one(begins("a", "p-in-a", false, "b")), lands("a", "p-in-a", "b"), one(
		plan.Proof{Stamp: at, Passed: true}, plan.ReviewEnded{Stamp: at, Review: plan.Review{Commit: "c-p-in-a", Pass: true, Recommendation: plan.Archive}},
		plan.Accepted{Stamp: at, Branch: "ralph/p/_landed", Commit: "c-p-in-a"},
	))...)
	w.ok(stored.PlansOf(c.Store).Archive(w.Context(), "p-in"))

	w.task(c, "p-deep", "p-deep-a", "paused")
	w.record(c, w.request(c, "p-deep", "p", "p-half"), rules, join(read("a"), one(begins("a", "p-deep-a", false, "b")), pauses("a", "p-deep-a"), one(paused))...)
	w.task(c, "p-half", "p-half-a", "passed")
	w.record(c, w.request(c, "p-half", "p"), rules, join(read("a", "b"), one(begins("a", "p-half-a", false, "b"), begins("b", "p-deep", true, "b")),
		lands("a", "p-half-a", "b"), pauses("b", "p-deep"), one(paused))...)
	w.record(c, w.request(c, "p-wait", "p"), rules)

	w.task(c, "p", "p-a", "passed")
	return w.record(c, w.request(c, "p"), rules, join(read("a", "in", "half", "wait", "new"),
		one(begins("a", "p-a", false, "b")), lands("a", "p-a", "b"), one(begins("in", "p-in", true, "c-p-a")), lands("in", "p-in", "c-p-a"),
		one(begins("half", "p-half", true, "c-p-in"), begins("wait", "p-wait", true, "c-p-in")),
		pauses("half", "p-half"), one(plan.Stopped{Stamp: at, Task: "wait", Loop: "p-wait", Status: loop.Paused}, paused))...)
}

// named is a plan in the place of a task, by its path.
func named(id string, inner map[string]engine.InnerPlan) map[string]engine.InnerPlan {
	return map[string]engine.InnerPlan{"./" + fileOf(id): {ID: id, File: fileOf(id), Text: []byte("text"), Inner: inner}}
}

// request is that of a plan in the places of tasks of others.
func (w *planWorld) request(c *clone, id string, above ...string) []byte {
	w.Helper()
	spec, err := json.Marshal(engine.PlanSpec{ID: id, File: "/" + c.home.Machine + "/" + fileOf(id), Base: "b", Task: loop.Spec{Root: "/r"}, Ancestors: above})
	w.ok(err)
	return spec
}
