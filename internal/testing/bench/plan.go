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

// unheld: the script, which is the floor, has no sandbox either.
const unheld = "off"

// appending is an agent that appends a byte to a file.
const appending = `n=${RALPH_TASK_ID#t}; printf x >> d00/f$(printf %02d $((n % 100))).txt`

// fewTasks is the size of the plan that larger ones are compared with.
const fewTasks = 10

// plan measures the cost of a task of a plan beside its agent's and its gate's
// own time, whether that grows with the plan, and how much time parallel tasks
// save.
func (b *bench) plan(ctx context.Context) ([]row, error) {
	many := 500
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

// planning runs plans, each from a new file.
type planning struct {
	*bench
	repo, script string
	n            int
	bytes        series
}

// once measures each side one time without a warm-up: the many tasks warm up
// themselves.
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

// taken returns the bytes written for a task in each round since the last call,
// without the warm-up round.
func (p *planning) taken() series {
	out := p.bytes[min(1, len(p.bytes)):]
	p.bytes = nil
	return out
}

// byHand measures the time of one task of several, done by the script.
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

// perTask measures the time of one task of several, and records the bytes
// written.
func (p *planning) perTask(tasks int, sandbox string) side {
	return func(ctx context.Context) (float64, error) {
		took, wrote, err := p.run(ctx, tasks, 1, appending, sandbox)
		p.bytes = append(p.bytes, float64(wrote)/1e3/float64(tasks))
		return took / float64(tasks), err
	}
}

// atOnce runs four agents that sleep, in parallel and one after the other.
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

// run runs a new plan. It returns its time in milliseconds and the bytes that
// all its processes wrote.
func (p *planning) run(ctx context.Context, tasks, parallel int, agent, sandbox string) (took float64, wrote int64, err error) {
	p.n++
	file, err := p.file(strconv.Itoa(p.n), tasks)
	if err != nil {
		return 0, 0, err
	}
	c := p.command(file, parallel, agent, sandbox)
	// A shell that has waited for its children counts their bytes as its own.
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

// command runs the plan of a file.
func (p *planning) command(file string, parallel int, agent, sandbox string) proc.Command {
	return p.ralphIn(p.repo, "run", file, "--yes", "--parallel", strconv.Itoa(parallel), "--agent-cmd", agent, "--until", "true", "--proof", "none", "--sandbox", sandbox)
}

// file writes a plan of independent tasks.
func (p *planning) file(name string, tasks int) (string, error) {
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
	path := filepath.Join(p.dir, "plan-"+name+".json")
	return path, os.WriteFile(path, append(text, '\n'), 0o600)
}
