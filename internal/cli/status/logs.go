package status

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

// logFlags select the records of a loop to show.
type logFlags struct {
	follow    bool
	iteration int
	gate      string
	agent     bool
}

func (a *Commands) LogsCommand() *cobra.Command {
	var f logFlags
	cmd := &cobra.Command{
		Use:     "logs [ID]",
		GroupID: command.GroupWatch,
		Short:   "What happened, event by event; or the output of an agent or a gate",
		Example: `  ralph logs ID                       # every event
  ralph logs ID -f                    # and those to come
  ralph logs ID --agent               # what the agent printed on the last attempt
  ralph logs ID --gate tests --iteration 2`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.logs(cmd.Context(), command.First(args), f)
		},
	}
	cmd.Flags().BoolVarP(&f.follow, "follow", "f", false, "follow until the loop stops")
	cmd.Flags().IntVar(&f.iteration, "iteration", 0, "of attempt `N` (0: the newest)")
	cmd.Flags().StringVar(&f.gate, "gate", "", "the output of gate `NAME`")
	cmd.Flags().BoolVar(&f.agent, "agent", false, "the output of the agent")
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *Commands) logs(ctx context.Context, name string, f logFlags) error {
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	output := f.agent || f.gate != ""
	r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{Loops: output, Ended: true})
	if err != nil {
		return err
	}
	if l, ok := r.(*runs.Plan); ok && output {
		return noOutput(l.Now.State, f)
	}
	if l, ok := r.(*runs.Loop); ok {
		if s := l.Now.State; f.iteration < 0 || f.iteration > s.Iteration {
			return exit.UsageError(next.Show(s.ID)+" lists attempts and gates", "loop %s has no attempt %d", s.ID, f.iteration)
		}
		if output {
			return a.output(l.Now, f)
		}
	}
	return a.events(ctx, r, f.follow)
}

// noOutput returns the error that a plan has no output of its own, with the loop
// that has: the one in progress, else the last that failed, else the last.
func noOutput(s plan.State, f logFlags) error {
	var id string
	best := 0
	for _, t := range s.Tasks {
		rank := 1
		switch {
		case t.Loop == "" || t.Child:
			continue
		case t.Now() != "":
			rank = 3
		case t.Status == plan.Failed:
			rank = 2
		}
		if rank >= best {
			id, best = cmp.Or(t.Now(), t.Loop), rank
		}
	}
	hint := next.Logs(s.ID)
	if id != "" {
		hint = next.Logs(id, f.words()...)
	}
	return exit.UsageError(hint, "plan %s has no output of its own; the loops of its tasks have", s.ID)
}

// words returns the flags that select an output.
func (f logFlags) words() (out []string) {
	switch {
	case f.gate != "":
		out = append(out, "--gate", f.gate)
	case f.agent:
		out = append(out, "--agent")
	}
	if f.iteration != 0 {
		out = append(out, "--iteration", strconv.Itoa(f.iteration))
	}
	return out
}

// output copies the kept output of an agent or a gate.
func (a *Commands) output(l engine.Loop, f logFlags) error {
	if f.iteration == 0 {
		f.iteration = l.State.Iteration
	}
	files := engine.Layout{Dir: l.Dir}
	paths := files.Outputs(f.iteration)
	if f.gate != "" {
		paths = []string{files.GateLog(f.iteration, f.gate, 0)}
	}
	if len(paths) == 0 {
		return noSuchOutput(l, f)
	}
	for i, path := range paths {
		if len(paths) > 1 {
			a.Say("run %d of %d:", i+1, len(paths))
		}
		err := a.printFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return noSuchOutput(l, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func noSuchOutput(l engine.Loop, f logFlags) error {
	return exit.UsageError(next.Show(l.State.ID)+" lists attempts and gates", "there is no such output of attempt %d", f.iteration)
}

// printFile copies a file: as it is to a program, cleaned to a terminal.
func (a *Commands) printFile(path string) error {
	file, err := engine.Open(path, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if !a.IsTerminal(a.Out) {
		_, err = io.Copy(a.Out, file)
		return err
	}
	words, err := io.ReadAll(file)
	a.Print(text.Clean(string(words)))
	return err
}

// followEvery is how often a command that follows a run looks for news of it.
const followEvery = 200 * time.Millisecond

// events prints the records and, following, those to come. It reads them page by page,
// so that a long run needs no more memory than a short one.
func (a *Commands) events(ctx context.Context, r runs.Run, follow bool) error {
	out := bufio.NewWriterSize(a.Out, 1<<16)
	l := eventLines{Run: r, id: r.Outcome().ID, json: a.JSON, out: out}
	var away engine.Outage
	for {
		n, err := l.next(ctx)
		if err = errors.Join(err, out.Flush()); follow && away.Passes(a.Say, err) {
			if err := command.Sleep(ctx, followEvery); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		if !follow {
			a.sayEnd(r)
			return nil
		}
		if !r.Live() && r.Seq() == l.seen {
			a.Say("%s: %s", l.id, r.StatusText())
			return exit.With(exit.CodeOf(r.Outcome()))
		}
		if err := command.Sleep(ctx, followEvery); err != nil {
			return err
		}
	}
}

// sayEnd tells how a run ended, which none of its events says in so many words.
func (a *Commands) sayEnd(r runs.Run) {
	end := r.Outcome()
	if a.JSON || !end.Status.Terminal() {
		return
	}
	words := end.ID + ": " + string(end.Status)
	if end.Reason != "" {
		words += ", " + string(end.Reason)
	}
	a.Say("%s", words)
}

// eventLines writes the events of a run.
type eventLines struct {
	runs.Run
	id   string
	json bool
	out  io.Writer
	// seen is the newest event that was written.
	seen int64
}

// next writes the next page of events, and returns how many there were. The run is
// read again after the events, unless more of them are to come at once.
func (l *eventLines) next(ctx context.Context) (int, error) {
	rows, err := l.Events(ctx, l.seen)
	if err == nil && (l.seen == 0 || len(rows) < engine.EventPage) {
		err = l.Load(ctx)
	}
	if err != nil {
		return 0, err
	}
	for _, e := range rows {
		l.seen = e.Seq
		if err := l.write(e); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

func (l *eventLines) write(e engine.Event) error {
	if !l.json {
		_, err := io.WriteString(l.out, l.Line(e))
		return err
	}
	if !json.Valid(e.Data) { // it is damaged
		e.Data = []byte("null")
	}
	line, err := json.Marshal(view.EventOf(l.id, e.Seq, e.At, e.Name, e.Data))
	if err != nil {
		return err
	}
	_, err = l.out.Write(append(line, '\n'))
	return err
}
