//go:build server

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/workflowservice/v1"

	"ralph/internal/loop"
	"ralph/temporal/store"
)

// tasksVariable is how many tasks the plan of BenchmarkPlan has; 100 where it is not set.
const tasksVariable = "RALPH_BENCH_TASKS"

// BenchmarkPlan runs the same plan on the local engine, and with one, two and four workers
// in processes of this machine, of four slots each. Its agents sleep for two seconds and
// write one file, so what is above that is ralph's own: worktrees, commits, gates, landing,
// and the records. All run beside each other on the same cores.
//
//	go -C temporal test -tags server -run '^$' -bench Plan -benchtime 1x -timeout 2h ./cmd/ralph-worker
func BenchmarkPlan(b *testing.B) {
	tasks := 100
	if n, err := strconv.Atoi(os.Getenv(tasksVariable)); err == nil {
		tasks = n
	}
	const slots, agent = 4, 2 * time.Second
	for _, workers := range []int{0, 1, 2, 4} {
		name := "local"
		if workers > 0 {
			name = fmt.Sprintf("workers-%d", workers)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s := manyTasks(b, tasks)
				if workers == 0 {
					s.engine = "local"
				}
				for w := range workers {
					name := fmt.Sprintf("w%d", w)
					s.worker(name, "--slots", strconv.Itoa(slots))
					s.until("the worker runs", func() bool { return strings.Contains(s.log(name), "worker for") })
				}
				parallel := slots * max(workers, 1)
				b.StartTimer()
				began := time.Now()
				s.ralph("a", 0, "run", "plan.md", "--until", "true", "--proof", "none", "--agent-cmd", "sh "+s.at("agent.sh"),
					"--sandbox", "off", "--yes", "--quiet", "--parallel", strconv.Itoa(parallel))
				took := time.Since(began)
				b.StopTimer()
				least := agent * time.Duration((tasks+parallel-1)/parallel)
				b.ReportMetric(took.Seconds(), "s/plan")
				b.ReportMetric((took-least).Seconds()*1000/float64(tasks), "ms-above-agents/task")
				b.ReportMetric(0, "ns/op")
				if workers > 0 {
					s.histories(b)
				}
				b.StartTimer()
			}
		})
	}
}

// manyTasks is a scene with a plan of tasks that need nothing of each other.
func manyTasks(b *testing.B, tasks int) scene {
	s := sceneOf(b)
	var plan strings.Builder
	plan.WriteString("# Many files\n")
	for n := range tasks {
		fmt.Fprintf(&plan, "\n### Task %d: file %d\n\n**Dependencies:** none\n\n- [ ] Write it.\n", n+1, n+1)
	}
	s.write("a/plan.md", plan.String())
	s.write("agent.sh", "cat > /dev/null\nsleep 2\necho done > file-$RALPH_TASK_ID\n")
	s.git(s.at("a"), "add", "-A")
	s.git(s.at("a"), "commit", "-q", "-m", "plan")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	return s
}

// histories reports what the server keeps of the loops and of the plan.
func (s scene) histories(b *testing.B) {
	c, ctx := embedded.GetDefaultClient(), context.Background()
	ask := &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("WorkflowId STARTS_WITH 'ralph/%s'", strings.TrimSuffix(remoteBase(s), ".git"))}
	var loops, events, bytes float64
	for {
		page, err := c.ListWorkflow(ctx, ask)
		if err != nil {
			b.Fatal(err)
		}
		for _, x := range page.GetExecutions() {
			d, err := c.DescribeWorkflowExecution(ctx, x.GetExecution().GetWorkflowId(), "")
			if err != nil {
				b.Fatal(err)
			}
			info := d.GetWorkflowExecutionInfo()
			if strings.Contains(x.GetExecution().GetWorkflowId(), "/plan/") {
				b.ReportMetric(float64(info.GetHistoryLength()), "events/plan")
				b.ReportMetric(float64(info.GetHistorySizeBytes())/1000, "kB/plan")
				continue
			}
			loops, events, bytes = loops+1, events+float64(info.GetHistoryLength()), bytes+float64(info.GetHistorySizeBytes())
		}
		if ask.NextPageToken = page.GetNextPageToken(); len(ask.NextPageToken) == 0 {
			break
		}
	}
	b.ReportMetric(loops, "loops")
	b.ReportMetric(events/loops, "events/loop")
	b.ReportMetric(bytes/1000/loops, "kB/loop")
}

func remoteBase(s scene) string { return s.remote()[strings.LastIndexByte(s.remote(), '/')+1:] }

// BenchmarkStatus is what ralph status takes in a clone that has the loops of a team already,
// 1,000 of which have ended; RALPH_BENCH_TASKS is another number. The first command of a clone
// copies them all.
//
//	go -C temporal test -tags server -run '^$' -bench Status ./cmd/ralph-worker
func BenchmarkStatus(b *testing.B) {
	runs := 1000
	if n, err := strconv.Atoi(os.Getenv(tasksVariable)); err == nil {
		runs = n
	}
	s := sceneOf(b)
	s.endedLoops(b, runs)
	began := time.Now()
	s.ralph("a", 0, "status", "--all")
	first := time.Since(began)
	for b.Loop() {
		s.ralph("a", 0, "status", "--all")
	}
	b.ReportMetric(first.Seconds(), "s/first")
}

// endedLoops records loops of the scene's project that were aborted before a worker had them.
func (s scene) endedLoops(b *testing.B, runs int) {
	first := s.git(s.at("a"), "rev-list", "--max-parents=0", "HEAD")
	project := strings.TrimSuffix(remoteBase(s), ".git") + "-" + first[:12]
	all, err := store.Open(embedded.GetDefaultClient(), store.Loops(), store.Options{Project: project, Owner: "benchmark"})
	if err != nil {
		b.Fatal(err)
	}
	defer all.Close()
	gate := loop.Gate{Name: "tests", Kind: loop.KindCommand, Level: loop.Hard, Run: "true"}
	for n := range runs {
		at := time.Now().Round(0)
		spec := loop.Spec{
			ID: fmt.Sprintf("run-%d", n), Task: loop.Task{Text: "do it"}, Agent: loop.Agent{Name: "a", Use: "cmd"}, Gates: []loop.Gate{gate},
			Limits: loop.DefaultLimits(), Base: first, Branch: fmt.Sprintf("ralph/run-%d", n),
		}
		state := loop.New(spec, at)
		request, err := json.Marshal(state)
		if err != nil {
			b.Fatal(err)
		}
		l, err := all.Create(b.Context(), state, request)
		if err != nil {
			b.Fatal(err)
		}
		e := loop.AbortAsked{Stamp: loop.Stamp{At: at}, Why: "enough"}
		state, err = loop.Apply(state, e)
		if err == nil && !state.Status.Terminal() {
			err = fmt.Errorf("an aborted loop is %s", state.Status)
		}
		if err = errors.Join(err, l.Commit(b.Context(), state, []loop.Event{e}), l.Release(b.Context())); err != nil {
			b.Fatal(err)
		}
	}
}
