package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/gate/coverage"
	"ralph/internal/gate/testout"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/ratchet"
)

// errStopped is returned when the command was stopped from outside, so that the
// gate has no result.
var errStopped = errors.New("the gate was stopped")

// Run evaluates one gate, once. An error means that there is no result: ralph
// itself failed (a full disk), the gate was stopped through ctx or Kill, or its
// command was killed by others (proc.Cut). Every fault of the gate and its command is
// a result.
func Run(ctx context.Context, r Request) (loop.Result, error) {
	e := newEvaluation(r)
	if v, bad := e.refuse(); bad {
		return e.result(v), nil
	}
	t, err := openTree(r.Tree, r.Gate.Dir)
	if err != nil {
		return e.result(missing(err)), nil
	}
	defer t.close()
	e.tree = t
	if err := e.prepare(); err != nil {
		return e.result(finding(loop.Error, "%v", err)), nil
	}
	if err := e.execute(ctx); err != nil {
		return loop.Result{}, fmt.Errorf("gate %s: %w", r.Gate.Name, err)
	}
	return e.result(e.decide()), nil
}

// missing: there is no folder in which to run the command.
func missing(err error) verdict {
	v := finding(loop.Error, "cannot start: %v", err)
	v.cannotStart = true
	return v
}

// evaluation is one run of one gate.
type evaluation struct {
	Request
	reading reading
	tree    *tree
	before  before
	stamps  map[string]stamp
	out     *sink

	res  loop.Result
	exit proc.Exit
	// tests is nil where no results could be read; testsErr is the error of
	// reading a report of them.
	tests    *testout.Report
	testsErr error
	names    loop.Tests // the file of their names
	own      ownReports
	looks    looks
	// answer is the judged text; unread is the error of reading it.
	answer []byte
	unread error
}

func newEvaluation(r Request) *evaluation {
	g := r.Gate
	e := &evaluation{Request: r, reading: readingOf(g)}
	e.out = newSink(e.reading.formats...)
	e.res = loop.Result{
		Gate: g.Name, Kind: g.Kind, Level: g.Level,
		Hidden: r.Gate.Hidden, Commit: r.Commit, Where: r.Where, StartedAt: r.now(), Sandbox: r.Held,
	}
	if g.Run != "" {
		e.res.Argv = []string{"sh", "-c", g.Run}
	}
	return e
}

// refuse returns the verdict on gates that cannot be evaluated at all.
func (e *evaluation) refuse() (verdict, bool) {
	g := e.Gate
	switch g.Kind {
	case loop.KindCommand, loop.KindTests, loop.KindCoverage, loop.KindLint, loop.KindTypes:
		if g.Run == "" {
			return finding(loop.Error, "the gate has no command"), true
		}
	case loop.KindAnswer:
		if g.Answer == "" {
			return finding(loop.Error, "the gate has no file to read"), true
		}
	case loop.KindVisual:
	default:
		return finding(loop.Error, "unknown kind of gate %q", g.Kind), true
	}
	if !e.reading.known {
		return finding(loop.Error, "unknown parser %q", g.Parse), true
	}
	return verdict{}, false
}

// prepare records the existing reports before the command runs.
func (e *evaluation) prepare() error {
	var names []string
	if e.Gate.Kind == loop.KindCoverage {
		files, err := coverageFiles(e.tree, e.Gate.Report)
		if err != nil {
			return fmt.Errorf("report %w", err)
		}
		names = files
	}
	if j := e.reading.junit; j != "" && j != "-" {
		files, err := junitFiles(e.tree, j)
		if err != nil {
			return err
		}
		names = append(names, files...)
	}
	if e.reading.usual {
		files, err := usualFiles(e.tree)
		if err != nil {
			return fmt.Errorf("look for reports of tests: %w", err)
		}
		names = append(names, files...)
	}
	e.before = remember(e.tree, e.res.StartedAt, names)
	e.stamps = e.tree.stamps(e.Sources)
	return nil
}

// execute runs the command and closes the log, so that the result can name it.
func (e *evaluation) execute(ctx context.Context) error {
	if err := durable.MkdirAll(filepath.Dir(e.LogFile)); err != nil {
		return err
	}
	log, err := proc.NewCapture(e.LogFile, 0)
	if err != nil {
		return err
	}
	all := e.Mask.Writer(io.MultiWriter(log, e.out))
	if e.Gate.Run != "" {
		defer func() { e.own.remove() }()
		err = e.command(ctx, all)
	}
	if err == nil && e.Gate.Kind == loop.KindVisual {
		err = e.look(all)
	}
	if err == nil && e.Gate.Kind == loop.KindAnswer {
		err = e.read(all)
	}
	err = errors.Join(err, all.Close())
	e.out.lines.Flush()
	stored, closed := log.Close()
	if err = errors.Join(err, closed); err != nil {
		return err
	}
	e.res.OutputFile, e.res.OutputSHA256, e.res.OutputBytes = e.LogFile, stored.SHA256, stored.Bytes
	e.readTests()
	if e.OnFailed != nil && e.tests != nil {
		e.OnFailed(e.tests.FailedIDs())
	}
	return e.keepNames()
}

// keepNames writes the names of all tests, if the runner gave them. The tree's own
// path, which differs from tree to tree, is no part of a name.
func (e *evaluation) keepNames() error {
	if e.tests == nil || e.tests.Cases == nil || e.Keep == nil {
		return nil
	}
	names := make(ratchet.Names, 0, len(e.tests.Cases))
	for _, c := range e.tests.Cases {
		for _, root := range e.roots() {
			c.ID = strings.ReplaceAll(c.ID, root+"/", "")
		}
		names = append(names, ratchet.Test{Name: c.ID, Outcome: ratchet.Outcome(c.Outcome)})
	}
	data, err := ratchet.EncodeNames(names)
	if err == nil {
		err = e.Keep(e.NamesFile, data)
	}
	if err != nil {
		return fmt.Errorf("keep the names of the tests: %w", err)
	}
	sum := sha256.Sum256(data)
	e.names = loop.Tests{NamesFile: e.NamesFile, NamesSHA256: hex.EncodeToString(sum[:])}
	return nil
}

// command starts the one child and waits for it.
func (e *evaluation) command(ctx context.Context, out io.Writer) error {
	own := environment(e.Env, e.Gate.Env)
	env := own
	if !e.reading.off && (e.Gate.Kind == loop.KindTests || e.Gate.Kind == loop.KindCoverage) {
		var line string
		line, env = verbose(e.Gate.Run, env, e.NameSkipped, e.script)
		var err error
		if env, err = e.askReports(env); err != nil {
			return err
		}
		e.res.Argv[len(e.res.Argv)-1] = line
	}
	if !e.reading.off {
		env = e.limit(e.unheardByTests(behindScripts(e.Gate.Run, env, e.NameSkipped, e.text), own))
	}
	child, err := proc.Start(ctx, proc.Spec{
		RunDir: e.RunDir, Run: e.Run, Argv: e.res.Argv, Dir: e.tree.abs(), Env: env, Sandbox: e.Sandbox,
		Stdout: out, Timeout: e.deadline(), OnSoft: e.OnSoft, Grace: e.Grace,
	})
	if err != nil {
		return err
	}
	stop := e.killable(child)
	e.exit, err = child.Wait()
	stop()
	e.res.Opened = e.opened(child)
	left := child.Tree()
	if left != nil {
		err = errors.Join(err, e.tree.moveTo(left))
	}
	e.res.Rewritten = e.tree.changed(e.Sources, e.stamps)
	switch cause := e.cause(); {
	case cause.Interrupts():
		return &proc.Cut{What: "its command", How: e.exit.How(), Cause: cause}
	case err != nil:
		return err
	case e.exit.Stopped:
		return errors.Join(errStopped, context.Cause(ctx))
	case left == nil && e.Sandbox != nil && e.Sandbox.Room != nil && !e.exit.CannotStart:
		return &proc.Cut{What: "its room", How: "the tree that the command left cannot be read", Cause: loop.CauseLack}
	}
	e.res.ExitCode, e.res.Signal, e.res.TimedOut = e.exit.Code, e.exit.Signal, e.exit.TimedOut
	e.res.Duration = e.exit.Duration
	return nil
}

// mostOpened bounds the scripts in a result (loop.Result.Opened).
const mostOpened = 50

// opened are the scripts that the gate was seen opening.
func (e *evaluation) opened(child *proc.Child) []string {
	if e.Sandbox == nil || e.Sandbox.Room == nil {
		return nil
	}
	scripts := judge.OpenedScripts(e.Sandbox.Room.Watch, child.Opened())
	return scripts[:min(len(scripts), mostOpened)]
}

// killable forwards Kill until the returned function is called.
func (e *evaluation) killable(child *proc.Child) (stop func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-e.Kill:
			child.Kill()
		case <-over:
		}
	}()
	return func() { close(over); <-done }
}

// readTests uses the parsed results, or a report in their place.
func (e *evaluation) readTests() {
	var r testout.Report
	found := true
	switch e.reading.junit {
	case "":
		if r, found = e.out.tests.Report(); e.reading.usual {
			r, found, e.testsErr = readUsual(e.tree, e.before, r, found)
		} else {
			r, found, e.testsErr = e.withOwn(r, found)
		}
	case "-":
		r, e.testsErr = junitOutput(e.LogFile)
	default:
		r, e.testsErr = readJUnit(e.tree, e.before, e.reading.junit)
	}
	if found && e.testsErr == nil && !e.reading.off {
		e.tests = new(e.early(r))
	}
}

func (e *evaluation) coverage() (coverage.Value, string, error) {
	return readCoverage(e.tree, e.before, e.Request, &e.out.coverage)
}
