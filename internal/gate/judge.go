package gate

import (
	"strconv"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// judge answers after the command has ended.
func (e *evaluation) judge() verdict {
	if v, over := e.abnormal(); over {
		return v
	}
	switch e.Gate.Kind {
	case loop.KindTests:
		return e.judgeTests()
	case loop.KindCoverage:
		return e.judgeCoverage()
	case loop.KindVisual:
		return e.judgeVisual()
	case loop.KindAnswer:
		return e.judgeAnswer()
	}
	return e.judgeExit()
}

// abnormal answers for commands that did not end by themselves with an exit
// code of their own. None of these ends is a pass.
func (e *evaluation) abnormal() (verdict, bool) {
	code := e.exit.Code
	switch {
	case e.Gate.Run == "":
		return verdict{}, false
	case e.lost:
		return failing(loop.Error, "nobody saw how the command ended: its supervisor was killed"), true
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
	case *code == 0 && !e.exit.OK():
		return failing(loop.Error, "the command did not end by itself"), true
	}
	return verdict{}, false
}

func (e *evaluation) ok() bool { return e.Gate.Run == "" || e.exit.OK() }

func (e *evaluation) judgeExit() verdict {
	if e.ok() {
		return passing("exit code 0")
	}
	if e.tests != nil && e.tests.Failed > 0 {
		return failing(loop.Failed, "%s", testsFailed(*e.tests))
	}
	return failing(loop.Failed, "exit code %d", *e.exit.Code)
}

// judgeTests puts the exit code and the results together; both must agree.
func (e *evaluation) judgeTests() verdict {
	switch {
	case e.tests == nil && (e.reading.must || e.toldBefore()):
		return e.unreadable()
	case e.tests == nil || !e.reading.counts:
		return e.judgeExit()
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
	bound := ""
	if e.tests.AtLeast {
		bound = "at least "
	}
	return passing("%s%s passed%s", bound, text.Plural(e.tests.Run, "test"), skippedToo(e.tests.Skipped))
}

func skippedToo(n int) string {
	if n == 0 {
		return ""
	}
	return ", " + strconv.Itoa(n) + " skipped"
}

// toldBefore: this very command named its tests on the base. If it no longer
// does, something took the runner away, and exit code 0 proves nothing.
func (e *evaluation) toldBefore() bool {
	return e.ok() && e.Gate.Parse != "exit" && e.Baseline != nil && e.Baseline.Tests != nil && e.Baseline.Tests.Run > 0
}

// unreadable: results were due and there are none. Where something else on the
// command line may have failed before the tests, its exit code is an answer.
func (e *evaluation) unreadable() verdict {
	switch {
	case e.testsErr != nil && e.ok():
		return finding(loop.Error, "%v", e.testsErr)
	case e.testsErr != nil:
		return failing(loop.Error, "exit code %d; %v", *e.exit.Code, e.testsErr)
	case e.ok():
		return finding(loop.Error, "exit code 0, but no test results in the output")
	case !e.reading.alone:
		return failing(loop.Failed, "exit code %d", *e.exit.Code)
	}
	return failing(loop.Error, "exit code %d, and no test results in the output", *e.exit.Code)
}
