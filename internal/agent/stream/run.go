package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Launch is how a program is started for a job.
type Launch struct {
	Argv []string
	// Env is laid over the job's environment.
	Env []string
	// Session is the id that ralph chose for it; empty where the program chooses.
	Session string
	// Tested are the versions that its dialect was made for. Ask is the program
	// to ask for its version, where its output does not contain it.
	Tested agent.Versions
	Ask    []string
	// TempDir gives it a folder for temporary files of its own, which is
	// removed when it has ended.
	TempDir bool
	// Input is the program's standard input, where it is not the prompt.
	Input *os.File
	// Linger is how long it may be silent after its result before it is ended, in
	// graces; zero is one.
	Linger int
	// Report is the flag before the name of a file into which the program writes
	// a JSON object about its run. The dialect gets it as the last line of the
	// output. It needs TempDir.
	Report string
}

// Run runs a program once and waits.
func Run(ctx context.Context, job agent.Job, l Launch, d Dialect) (loop.Outcome, error) {
	env := Overlay(job.Env, l.Env, agentEnv(job.Agent))
	if l.TempDir {
		// Not below the loop's own directory: that lies in a .git, where no tool
		// expects to work.
		dir, err := proc.TempDir(agent.Variable(env, "TMPDIR"), "agent")
		if err != nil {
			return loop.Outcome{}, err
		}
		defer proc.RemoveTempDir(dir)
		env = Overlay(env, []string{"TMPDIR=" + dir})
		l.Argv = l.reporting(dir)
	}
	asked := ask(ctx, job, l, env)
	t := newTally(job)
	t.out.Session, t.linger = l.Session, l.Linger
	run, err := t.supervise(ctx, agent.Program{Argv: l.Argv, Env: env, Input: l.Input, Interrupt: true}, d)
	version := asked()
	if err != nil {
		return loop.Outcome{}, err
	}
	keep(&t.out.Version, version)
	t.report(l, d)
	return t.finish(l, d, run), nil
}

// reporting returns the command line of a program that reports into a file in dir.
func (l Launch) reporting(dir string) []string {
	if l.Report == "" {
		return l.Argv
	}
	return append(slices.Clip(l.Argv), l.Report, filepath.Join(dir, "report.json"))
}

// report takes the program's report, if it wrote one. It is the program's own, and
// may be anything.
func (t *Tally) report(l Launch, d Dialect) {
	var content json.RawMessage
	if l.Report == "" || !agent.ReadObject(l.Argv[len(l.Argv)-1], &content) {
		return
	}
	var line bytes.Buffer
	if json.Compact(&line, content) == nil && line.Len() > 0 {
		t.line(d, line.Bytes())
	}
}

// ask asks the program for its version while it works, and waits for a short time
// only.
func ask(ctx context.Context, job agent.Job, l Launch, env []string) (version func() string) {
	if len(l.Ask) == 0 {
		return func() string { return "" }
	}
	ctx, cancel := context.WithCancel(ctx)
	begun, answer := time.Now(), make(chan string, 1)
	go func() { answer <- agent.AskVersion(ctx, l.Ask, job.Tree, env, job.Sandbox) }()
	return func() string {
		defer cancel()
		impatient := time.AfterFunc(agent.AskWaits-time.Since(begun), cancel)
		defer impatient.Stop()
		return <-answer
	}
}

// Recorded returns the outcome of a recorded run.
func Recorded(job agent.Job, l Launch, d Dialect, stdout, stderr []byte, run agent.Run) loop.Outcome {
	t := newTally(job)
	t.out.Session = l.Session
	lines, asides := t.readers(d)
	_, _ = lines.Write(stdout)
	_, _ = asides.Write(stderr)
	lines.Flush()
	asides.Flush()
	return t.finish(l, d, run)
}

func (t *Tally) finish(l Launch, d Dialect, run agent.Run) loop.Outcome {
	out := t.conclude(run, d.End(t, run.Exit))
	out.Tested, out.Untested = l.Tested.String(), l.Tested != (agent.Versions{}) && !l.Tested.Include(out.Version)
	if out.End == loop.EndLimit {
		t.job.Emit(agent.Event{Kind: agent.Limited, Text: out.Message, ResetAt: out.ResetAt})
	}
	return out
}

func (t *Tally) readers(d Dialect) (lines, asides *agent.Lines) {
	return agent.NewLines(func(line []byte) { t.line(d, line) }), agent.NewLines(func(line []byte) { t.aside(d, line) })
}

func (t *Tally) supervise(ctx context.Context, p agent.Program, d Dialect) (agent.Run, error) {
	lines, asides := t.readers(d)
	p.Stdout, p.Stderr = t.heard(lines), t.overheard(asides)
	// The watch has waited already.
	p.Stop, p.Finished, p.FinishGrace = t.stop, t.life.finish, time.Millisecond
	t.life.started = time.Now()
	t.life.output = t.life.started
	gone := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { t.watch(gone) })
	run, err := agent.Supervise(ctx, t.job, p)
	close(gone)
	watching.Wait()
	lines.Flush()
	asides.Flush()
	return run, err
}

// heard records the time of every output, and forwards one line at a time.
func (t *Tally) heard(to io.Writer) io.Writer {
	return writer(func(p []byte) (int, error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.life.output, t.life.heard = time.Now(), true
		return to.Write(p)
	})
}

// overheard is heard for the standard error: once the protocol has begun, it is no
// progress. Programs report their retries there for as long as a provider hangs.
func (t *Tally) overheard(to io.Writer) io.Writer {
	return writer(func(p []byte) (int, error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.life.heard = true; !t.begun {
			t.life.output = time.Now()
		}
		return to.Write(p)
	})
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// line takes a line of the standard output.
func (t *Tally) line(d Dialect, line []byte) {
	if line[0] != '{' {
		t.unknown(line)
		t.aside(d, line)
		return
	}
	t.life.troubled = false
	if !d.Line(t, line) {
		t.unknown(line)
		return
	}
	t.begun = true
	if !t.life.troubled {
		t.life.trouble = nil
	}
}

func (t *Tally) aside(d Dialect, line []byte) {
	t.last = clip(plain(string(line[:min(len(line), 2<<10)])), 300)
	d.Aside(t, line)
}

// Overlay joins lists of KEY=value; later ones win.
func Overlay(lists ...[]string) []string {
	at := map[string]int{}
	var out []string
	for _, list := range lists {
		for _, entry := range list {
			name, _, _ := strings.Cut(entry, "=")
			if i, ok := at[name]; ok {
				out[i] = entry
				continue
			}
			at[name] = len(out)
			out = append(out, entry)
		}
	}
	return out
}

// Lookup returns the value of a variable.
func Lookup(env []string, name string) string { return agent.Variable(env, name) }

// agentEnv returns the user's configuration for the agent.
func agentEnv(a loop.Agent) []string {
	var out []string
	for name, value := range a.Env {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}
