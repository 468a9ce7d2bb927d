package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// verdict is what ralph recorded of one cell.
type verdict struct {
	// passed, waiting: the loop passed, or waits for a person.
	passed, waiting bool
	reason, message string
	commit          string
	attempts        int
	// remarks are what a user reads beside the verdict: the words of show, and of
	// an accept that asks. Only a passed loop has them.
	remarks []string
	asks    bool
	// text is all that ralph printed, for a person who looks for the reason.
	text string
}

// play plays the case in one mode: run, plan or check.
func (st *stage) play(ctx context.Context, mode, sandbox string) (verdict, error) {
	switch mode {
	case "plan":
		return st.playPlan(ctx, sandbox)
	case "check":
		return st.playCheck(ctx)
	}
	argv := append([]string{"run", st.text("task"), "--until", st.text("until"), "--loop-id", "cell"}, st.common(sandbox)...)
	return st.settleAndAccept(ctx, "cell", st.call(ctx, append(argv, st.words("flags")...)...))
}

func (st *stage) settleAndAccept(ctx context.Context, id string, began ran) (verdict, error) {
	v, err := st.settle(ctx, id, began)
	if err == nil && v.passed {
		err = st.accept(ctx, id, &v)
	}
	return v, err
}

func (st *stage) common(sandbox string) []string {
	return []string{"--agent-cmd", "sh " + filepath.Join(st.dir, "agent.sh"), "--max-iterations", "2", "--sandbox", sandbox, "--no-input"}
}

// playPlan gives ralph a plan with the task as its only box.
func (st *stage) playPlan(ctx context.Context, sandbox string) (verdict, error) {
	plan := filepath.Join(st.home, "plan.md")
	if err := os.WriteFile(plan, []byte("# Work\n\n- [ ] "+st.text("task")+"\n"), 0o644); err != nil {
		return verdict{}, err
	}
	if st.user != 0 {
		if err := os.Chown(plan, st.user, st.user); err != nil {
			return verdict{}, err
		}
	}
	argv := append([]string{"run", plan, "--until", st.text("until")}, st.common(sandbox)...)
	return st.settleAndAccept(ctx, "", st.call(ctx, append(argv, st.words("flags")...)...))
}

// playCheck lets the agent work in the user's tree, as agents do that drive their
// own loop. The gate stands in ralph.yaml on the base.
func (st *stage) playCheck(ctx context.Context) (verdict, error) {
	setup := "[ -f ralph.yaml ] || { printf 'version: 1\\ngates:\\n  tests:\\n    run: %s\\n' \"$1\" >ralph.yaml; git add ralph.yaml; git commit -q -m gate; }"
	if r := st.run(ctx, st.repo, "sh", "-c", setup, "sh", st.text("until")); r.err != nil || r.code != 0 {
		return verdict{}, fmt.Errorf("write ralph.yaml: %w: %s", r.err, r.out)
	}
	if r := st.call(ctx, "loop", "init", "--gate", "tests", "--max", "2", "--loop-id", "cell", "--task", st.text("task"), "--no-input"); r.err != nil || r.code != 0 {
		return verdict{}, fmt.Errorf("loop init: %w: %s", r.err, r.out)
	}
	var r ran
	for range 2 {
		if r = st.sh(ctx, "sh ../../agent.sh </dev/null"); r.err != nil {
			return verdict{}, fmt.Errorf("the agent: %w", r.err)
		}
		if r = st.call(ctx, "loop", "check", "--loop-id", "cell", "--no-input"); r.err != nil || r.code != 2 {
			break
		}
	}
	v, err := st.settle(ctx, "cell", r)
	if err == nil && v.passed {
		r := st.sh(ctx, "git add -A && git commit -q --allow-empty -m work && git rev-parse HEAD")
		v.commit, err = strings.TrimSpace(r.plain), r.err
	}
	return v, err
}

func (st *stage) call(ctx context.Context, args ...string) ran {
	return st.run(ctx, st.repo, append([]string{st.ralph}, args...)...)
}

// settle reads the verdict from ralph's own views: of the loop id, or of the run
// that ended last.
func (st *stage) settle(ctx context.Context, id string, began ran) (verdict, error) {
	if began.err != nil {
		return verdict{}, began.err
	}
	shown := st.call(ctx, append(naming("show", id), "--json")...)
	var v struct {
		Status, Reason, Message, Commit, Tip string
		Attempts                             attempts
		Tasks                                []struct{ Loop, Status, Reason string }
	}
	if err := json.Unmarshal([]byte(shown.plain), &v); err != nil {
		return verdict{}, fmt.Errorf("ralph ended with %d and show with %d: %w\n%s\n%s", began.code, shown.code, err, began.out, shown.out)
	}
	out := verdict{
		passed: v.Status == "passed", waiting: v.Status == "waiting", reason: v.Reason, message: v.Message,
		commit: cmp.Or(v.Commit, v.Tip), attempts: v.Attempts.used(), text: began.out + shown.out,
	}
	if out.passed != (began.code == 0) {
		return out, fmt.Errorf("exit code %d with status %q:\n%s", began.code, v.Status, began.out)
	}
	var page strings.Builder
	page.WriteString(st.call(ctx, naming("show", id)...).out)
	for _, task := range v.Tasks {
		page.WriteString(st.call(ctx, naming("show", task.Loop)...).out)
		out.reason = cmp.Or(task.Reason, out.reason)
	}
	out.text += page.String()
	out.remarks = append(remarks(page.String()), v.Message)
	return out, nil
}

// attempts are those of a loop, or the number of a plan's.
type attempts struct {
	list []struct{ Verdict *string }
}

// UnmarshalJSON takes the list of a loop. The number of a plan says less: a plan's
// own tasks have the lists.
func (a *attempts) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '[' {
		return nil
	}
	return json.Unmarshal(data, &a.list)
}

// used counts the attempts with a verdict. One that a dispute ended has none.
func (a attempts) used() int {
	n := 0
	for _, one := range a.list {
		if one.Verdict != nil {
			n++
		}
	}
	return n
}

// accept asks ralph to accept a passed run, without a person. What it asks about
// is a remark.
func (st *stage) accept(ctx context.Context, id string, v *verdict) error {
	r := st.call(ctx, naming("accept", id)...)
	v.text += r.out
	switch {
	case r.err != nil:
		return r.err
	case r.code == 64:
		v.asks = true
		v.remarks = append(v.remarks, lastLines(r.out, 6))
	case r.code != 0:
		return fmt.Errorf("accept ended with %d: %s", r.code, r.out)
	}
	return nil
}

// naming is a command line with the id of a run, if it is known.
func naming(verb, id string) []string {
	if id == "" {
		return []string{verb, "--no-input"}
	}
	return []string{verb, id, "--no-input"}
}

// remarks returns the lines of show below the heading for what a person should look at, and
// the labels of a plan's tasks that are proved by less than a failing test.
func remarks(page string) []string {
	var out []string
	inside := false
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		switch heading := line != "" && !strings.HasPrefix(line, " ") && strings.ToUpper(line) == line; {
		case heading:
			inside = strings.HasPrefix(line, "LOOK TWICE")
		case inside && strings.HasPrefix(line, "  accept ") && strings.HasSuffix(line, ":"): // a label of some remarks
		case inside && strings.TrimSpace(line) != "", strings.HasPrefix(strings.TrimSpace(line), "proved: "):
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], " | ")
}
