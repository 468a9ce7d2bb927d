package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"ralph/internal/proc"
)

//go:embed plan.sh
var planScript string

// unheld: the script, which is the floor, holds nobody either.
const unheld = "off"

// fewTasks is the plan that larger ones are compared with.
const fewTasks = 10

// plan is what a task of a plan costs beside its agent's and its gate's own
// time, whether that grows with the plan, and what is won by doing tasks at once.
func (b *bench) plan(ctx context.Context) ([]row, error) {
	many := 1000
	if b.quick {
		many = 100
	}
	repo, err := b.repository(ctx, "plans", 100)
	if err != nil {
		return nil, err
	}
	p := &planning{bench: b, repo: repo, script: filepath.Join(b.dir, "plan.sh")}
	if err := write(p.script, planScript); err != nil {
		return nil, err
	}
	few, err := b.turns(ctx, b.times(5, 3), p.byHand(fewTasks), p.perTask(fewTasks, unheld))
	if err != nil {
		return nil, err
	}
	fewBytes := p.taken()
	held, err := b.turns(ctx, b.times(5, 3), p.perTask(fewTasks, unheld), p.perTask(fewTasks, "auto"))
	if err != nil {
		return nil, err
	}
	p.taken()
	lots, err := once(ctx, p.byHand(many), p.perTask(many, unheld))
	if err != nil {
		return nil, err
	}
	manyBytes := p.bytes
	atOnce, err := p.atOnce(ctx)
	if err != nil {
		return nil, err
	}
	beside := fmt.Sprintf("the same in a plan of %d", fewTasks)
	script := "the same work in a shell script: trees, agent, commit, gate, merge, gate, `sync -f`"
	return append([]row{
		{what: fmt.Sprintf("a task of a plan of %d, its agent and its gate doing nothing", fewTasks), beside: script, unit: "ms", floor: few[0], ours: few[1], target: ratioAtMost(2)},
		{what: fmt.Sprintf("a task of a plan of %d", many), beside: script, unit: "ms", floor: lots[0], ours: lots[1], target: ratioAtMost(2)},
		{what: "the same of 10, agent and gates held by a sandbox", beside: "held by none, as the script's", unit: "ms", floor: held[0], ours: held[1]},
		{what: fmt.Sprintf("flat: time of a task of a plan of %d", many), beside: beside, unit: "ms", floor: few[1], ours: lots[1], target: ratioAtMost(1.2)},
		{
			what: fmt.Sprintf("flat: bytes written by a task of a plan of %d", many), beside: beside, unit: "kB",
			floor: fewBytes, ours: manyBytes, target: ratioAtMost(1.2),
			note: "What ralph, git, the agents and the gates gave to the disk, as the kernel counts it.",
		},
	}, atOnce), nil
}

// planning runs plans, each of its own file.
type planning struct {
	*bench
	repo, script string
	n            int
	bytes        series
}

// once measures each side one time, without warming up: so many tasks are their
// own warming up.
func once(ctx context.Context, sides ...side) ([]series, error) {
	all := make([]series, len(sides))
	for i, measure := range sides {
		v, err := measure(ctx)
		if err != nil {
			return nil, err
		}
		all[i] = series{v}
	}
	return all, nil
}

// taken are the bytes of a task in each round since it was asked last, without
// the round that warms up.
func (p *planning) taken() series {
	out := p.bytes[min(1, len(p.bytes)):]
	p.bytes = nil
	return out
}

// byHand is the time of one task of several, done by the script.
func (p *planning) byHand(tasks int) side {
	return func(ctx context.Context) (float64, error) {
		p.n++
		trees := filepath.Join(p.dir, "by-hand-"+strconv.Itoa(p.n))
		took, err := timed(ctx, proc.Command{
			Argv: []string{"sh", p.script, p.repo, trees, strconv.Itoa(tasks)}, Dir: p.repo, Env: p.env(p.state()),
		})
		return took / float64(tasks), err
	}
}

// perTask is the time of one task of several; what was written is noted.
func (p *planning) perTask(tasks int, sandbox string) side {
	return func(ctx context.Context) (float64, error) {
		agent := `n=${RALPH_TASK_ID#t}; printf x >> d00/f$(printf %02d $((n % 100))).txt`
		took, wrote, err := p.run(ctx, tasks, 1, agent, sandbox)
		p.bytes = append(p.bytes, float64(wrote)/1e3/float64(tasks))
		return took / float64(tasks), err
	}
}

// atOnce are four agents that sleep, side by side and one after the other.
func (p *planning) atOnce(ctx context.Context) (row, error) {
	nap := 5 * time.Second
	if p.quick {
		nap = time.Second
	}
	asleep := func(parallel int) side {
		return func(ctx context.Context) (float64, error) {
			took, _, err := p.run(ctx, 4, parallel, fmt.Sprintf("sleep %g; echo x > $RALPH_TASK_ID.txt", nap.Seconds()), "auto")
			return 4 * 1000 / took, err
		}
	}
	got, err := p.turns(ctx, p.times(2, 2), asleep(1), asleep(4))
	return row{
		what: fmt.Sprintf("tasks in a second, 4 agents of %s at once", nap), beside: "one after the other, `--parallel 1`", unit: "/s",
		floor: got[0], ours: got[1], target: target{"≥ 3.5×", func(f, o float64) bool { return o >= 3.5*f }},
		note: "The landing, which is one after the other, is part of both.",
	}, err
}

// run works through a plan of its own, and answers its time in milliseconds and
// what all processes of it wrote, in bytes.
func (p *planning) run(ctx context.Context, tasks, parallel int, agent, sandbox string) (took float64, wrote int64, err error) {
	p.n++
	file, err := p.file(tasks)
	if err != nil {
		return 0, 0, err
	}
	c := p.ralphIn(p.repo, "run", file, "--yes", "--parallel", strconv.Itoa(parallel), "--agent-cmd", agent, "--until", "true", "--sandbox", sandbox)
	// A shell that has waited for its children has their bytes in its own account.
	count := filepath.Join(p.dir, "io")
	c.Argv = append([]string{"sh", "-c", `"$@" && cat /proc/$$/io > "$0"`, count}, c.Argv...)
	if took, err = timed(ctx, c); err != nil {
		return 0, 0, err
	}
	wrote, err = strconv.ParseInt(field(count, "write_bytes"), 10, 64)
	if err != nil {
		err = fmt.Errorf("the kernel does not count what processes write: %w", err)
	}
	return took, wrote, err
}

// file writes a plan of tasks that wait for nothing.
func (p *planning) file(tasks int) (string, error) {
	type task struct {
		ID           string   `json:"id"`
		Title        string   `json:"title"`
		Dependencies []string `json:"dependencies"`
		Status       string   `json:"status"`
	}
	var plan struct {
		Tasks []task `json:"tasks"`
	}
	for n := range tasks {
		id := fmt.Sprintf("t%d", n+1)
		plan.Tasks = append(plan.Tasks, task{id, "append a byte, " + id, []string{}, "ready"})
	}
	text, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(p.dir, "plan-"+strconv.Itoa(p.n)+".json")
	return path, os.WriteFile(path, append(text, '\n'), 0o600)
}
