package gate

import (
	"errors"
	"io"
	"io/fs"
	"strconv"

	"ralph/internal/gate/answer"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// decide returns the verdict after the command has ended.
func (e *evaluation) decide() verdict {
	if v, over := e.abnormal(); over {
		return v
	}
	switch e.Gate.Kind {
	case loop.KindTests:
		return e.testsVerdict()
	case loop.KindCoverage:
		return e.coverageVerdict()
	case loop.KindVisual:
		return e.visualVerdict()
	case loop.KindAnswer:
		return e.answerVerdict()
	}
	return e.exitVerdict()
}

// abnormal returns the verdict on commands that did not end by themselves with an
// exit code. None of these ends is a pass.
func (e *evaluation) abnormal() (verdict, bool) {
	code := e.exit.Code
	switch {
	case e.Gate.Run == "":
		return verdict{}, false
	case e.exit.CannotStart:
		v := finding(loop.Error, "cannot start: %s", e.exit.Reason)
		v.cannotStart = true
		return v, true
	case e.exit.TimedOut:
		return failing(loop.Failed, "timed out after %s", e.deadline().Hard), true
	case e.exit.Signal != "" || code == nil:
		return failing(loop.Failed, "ended by a signal: %s", e.exit.Signal), true
	case *code == notExecutable || *code == notFound:
		return e.notStarted(*code), true
	case e.absentModule() != "":
		v := finding(loop.Error, "Python has no module %s", e.absentModule())
		v.cannotStart = true
		return v, true
	case *code == 0 && !e.exit.OK():
		return failing(loop.Error, "the command did not end by itself"), true
	}
	return verdict{}, false
}

func (e *evaluation) ok() bool { return e.Gate.Run == "" || e.exit.OK() }

func (e *evaluation) exitVerdict() verdict {
	if e.ok() {
		return passing("exit code 0")
	}
	if e.tests != nil && e.tests.Failed > 0 {
		return failing(loop.Failed, "%s", testsFailed(*e.tests))
	}
	return failing(loop.Failed, "exit code %d", *e.exit.Code)
}

// testsVerdict combines the exit code and the results; both must agree.
func (e *evaluation) testsVerdict() verdict {
	switch {
	case e.tests == nil && (e.reading.must || e.toldBefore()):
		return e.unreadable()
	case e.tests == nil || !e.reading.counts:
		return e.exitVerdict()
	}
	t := *e.tests
	least := 1
	if m := e.Gate.MinTests; m != nil {
		least = *m
	}
	switch {
	case t.Failed > 0:
		return failing(loop.Failed, "%s", testsFailed(t))
	case t.Incomplete != "" && e.ok():
		return finding(loop.Error, "the test results are incomplete: %s", t.Incomplete)
	case t.Incomplete != "":
		return failing(loop.Failed, "exit code %d; the test results are incomplete: %s", *e.exit.Code, t.Incomplete)
	case t.Run < least && t.AtLeast:
		return finding(loop.Error, "%d tests needed, and the output names only %s: let the command list its tests (go test -v or -json)", least, text.Plural(t.Run, "package"))
	case t.Run == 0 && least > 0:
		return finding(loop.Failed, "no tests ran%s", skippedToo(t.Skipped))
	case t.Run < least:
		return finding(loop.Failed, "%s ran, %d needed", text.Plural(t.Run, "test"), least)
	case !e.ok():
		return failing(loop.Failed, "exit code %d, although no test failed", *e.exit.Code)
	}
	return e.testsPassed()
}

func (e *evaluation) testsPassed() verdict {
	if e.tests.AtLeast {
		return passing("exit code 0, number of tests unknown")
	}
	return passing("%s passed%s", text.Plural(e.tests.Run, "test"), skippedToo(e.tests.Skipped))
}

func skippedToo(n int) string {
	if n == 0 {
		return ""
	}
	return ", " + strconv.Itoa(n) + " skipped"
}

// toldBefore: this command named its tests on the base. If it no longer does, the
// runner was taken away, and exit code 0 proves nothing.
func (e *evaluation) toldBefore() bool {
	return e.ok() && e.Gate.Parse != "exit" && e.Baseline != nil && e.Baseline.Tests != nil && e.Baseline.Tests.Run != 0
}

// unreadable: results were required and there are none. Where another part of the
// command line may have failed before the tests, its exit code decides.
func (e *evaluation) unreadable() verdict {
	switch {
	case e.testsErr != nil && e.ok():
		return finding(loop.Error, "%v", e.testsErr)
	case e.testsErr != nil:
		return failing(loop.Error, "exit code %d; %v", *e.exit.Code, e.testsErr)
	case e.ok() && e.reading.usual:
		return finding(loop.Error, "exit code 0, but no test results in the output, and no new report in %s; name the reports: parse: junit:PATH", usualPlaces)
	case e.ok():
		return finding(loop.Error, "exit code 0, but no test results in the output")
	case !e.reading.alone:
		return failing(loop.Failed, "exit code %d", *e.exit.Code)
	}
	return failing(loop.Error, "exit code %d, and no test results in the output", *e.exit.Code)
}

// maxAnswer bounds the answer, in bytes.
const maxAnswer = 16 << 20

// read keeps the answer as the gate's output, for the next attempt and for the
// user.
func (e *evaluation) read(log io.Writer) error {
	name, err := e.tree.name(e.Gate.Answer)
	if err == nil {
		e.answer, err = e.tree.read(name, maxAnswer)
	}
	if e.unread = err; err != nil {
		return nil //nolint:nilerr // reported as the gate's verdict
	}
	_, err = log.Write(e.answer)
	return err
}

// answerVerdict is about a text that is the product of a task.
func (e *evaluation) answerVerdict() verdict {
	if errors.Is(e.unread, fs.ErrNotExist) {
		return failing(loop.Failed, "%s was not written", e.Gate.Answer)
	}
	if e.unread != nil {
		return finding(loop.Error, "read %s: %v", e.Gate.Answer, e.unread)
	}
	if why := answer.Fault(string(e.answer)); why != "" {
		return failing(loop.Failed, "%s is not an answer: %s", e.Gate.Answer, why)
	}
	return passing("%s is there", e.Gate.Answer)
}
