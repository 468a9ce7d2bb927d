package view

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// JUnit is the report in the format that build servers read: a suite for each
// plan and each loop that belongs to none, a case for each task and for each of
// its gates. A case that did not pass is a failure with the evidence; a gate
// that could not judge is an error; a task that was not begun is skipped.
func JUnit(r Summary) (string, error) {
	doc := junitDoc{Name: text.Line(r.Project)}
	for _, p := range r.Plans {
		doc.add(planSuite(r, p))
	}
	for _, l := range r.loops {
		if !r.inPlan(l) {
			doc.add(loopSuite(r, l))
		}
	}
	data, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write the report as JUnit XML: %w", err)
	}
	return xml.Header + string(data) + "\n", nil
}

type junitDoc struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`

	took time.Duration
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr,omitempty"`
	Cases     []junitCase `xml:"testcase"`

	took time.Duration
}

type junitCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	Time    string      `xml:"time,attr"`
	About   *junitAbout `xml:"properties,omitempty"`
	Failure *junitFault `xml:"failure,omitempty"`
	Error   *junitFault `xml:"error,omitempty"`
	Skipped *junitSkip  `xml:"skipped,omitempty"`
	Out     string      `xml:"system-out,omitempty"`
}

type junitAbout struct {
	Properties []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitFault struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitSkip struct {
	Message string `xml:"message,attr,omitempty"`
}

func (d *junitDoc) add(s junitSuite) {
	d.Tests, d.Failures, d.Errors, d.Skipped = d.Tests+s.Tests, d.Failures+s.Failures, d.Errors+s.Errors, d.Skipped+s.Skipped
	d.took += s.took
	d.Time = seconds(d.took)
	d.Suites = append(d.Suites, s)
}

func (s *junitSuite) add(c junitCase, took time.Duration) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	c.Time = seconds(took)
	s.Cases = append(s.Cases, c)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// inPlan: the loop is counted with a plan of this report.
func (r Summary) inPlan(l Loop) bool {
	for _, p := range r.Plans {
		if p.PlanID == l.Spec.Parent {
			return true
		}
	}
	return false
}

func (r Summary) loopOf(id string) (Loop, bool) {
	for _, l := range r.loops {
		if l.ID == id {
			return l, true
		}
	}
	return Loop{}, false
}

// planSuite has a case for every task, in the order of the plan.
func planSuite(r Summary, p PlanSummary) junitSuite {
	s := junitSuite{Name: text.Line(p.PlanID), Timestamp: stampOf(p.StartedAt), Time: seconds(0)}
	failed := map[string]FailedTask{}
	for _, t := range r.Failed {
		if t.PlanID != nil && *t.PlanID == p.PlanID {
			failed[deref(t.TaskID)] = t
		}
	}
	for _, t := range p.Tasks {
		c := junitCase{Name: text.Clip(taskTitle(t), mostTitle), Class: text.Line(p.PlanID)}
		f, red := failed[text.Line(t.ID)]
		switch {
		case red:
			c.Failure = failureOf(f)
		case t.Status != "done":
			c.Skipped = &junitSkip{text.Line(string(t.Status))}
		}
		s.withLoop(r, c, deref(t.Loop), text.Line(p.PlanID)+"."+text.Line(t.ID))
	}
	if f, red := failed[""]; red {
		s.add(junitCase{Name: "the plan as a whole", Class: text.Line(p.PlanID), Failure: failureOf(f)}, 0)
	}
	s.Time = seconds(s.took)
	return s
}

func loopSuite(r Summary, l Loop) junitSuite {
	s := junitSuite{Name: text.Line(l.ID), Timestamp: stampOf(timeOrNull(l.StartedAt))}
	c := junitCase{Name: text.Clip(l.Spec.Task.Text, mostTitle), Class: text.Line(l.ID)}
	switch {
	case l.Status == loop.StatusPassed && l.Reason != loop.Imported:
	case l.Status.Terminal() && l.Status != loop.StatusPassed:
		c.Failure = failureOf(l.failure())
	default:
		c.Skipped = &junitSkip{text.Line(string(l.Status) + " " + l.Message)}
	}
	s.withLoop(r, c, text.Line(l.ID), text.Line(l.ID))
	s.Time = seconds(s.took)
	return s
}

// withLoop adds a task, and the gates of its loop as they stood last.
func (s *junitSuite) withLoop(r Summary, c junitCase, id, class string) {
	l, found := r.loopOf(id)
	if !found {
		s.add(c, 0)
		return
	}
	if l.Proof != "" {
		c.About = &junitAbout{[]junitProperty{{"ralph.proof", text.Line(l.Proof)}}}
	}
	s.took += l.Active
	s.add(c, l.Active)
	for _, g := range l.Spec.Gates {
		s.gate(g, resultOf(l.Results, g.Name), class)
	}
}

func (s *junitSuite) gate(g loop.Gate, r *loop.Result, class string) {
	c := junitCase{Name: text.Line(g.Name), Class: class}
	if r == nil {
		c.Skipped = &junitSkip{"not run"}
		s.add(c, 0)
		return
	}
	fault := &junitFault{Message: text.Line(r.Reason), Type: string(level(g.Level)) + " gate", Text: excerpt(*r)}
	switch {
	case r.Verdict == loop.Passed:
		c.Out = text.Line(finding(*r)) + " on " + orWord(short(r.Commit))
	case r.Verdict == loop.Skipped:
		c.Skipped = &junitSkip{text.Line(r.Reason)}
	case level(g.Level) == loop.Soft:
		c.Out = "soft gate, reported only: " + fault.Message + "\n" + fault.Text
	case r.Verdict == loop.Error:
		c.Error = fault
	default:
		c.Failure = fault
	}
	s.add(c, r.Duration)
}

// failureOf has the fields of seed 004's failure report.
func failureOf(t FailedTask) *junitFault {
	var b strings.Builder
	fmt.Fprintf(&b, "Attempts: %d/%d\nLast gate: %s\nBranch: %s\nError: %s\nStuck: %s (%s)\nQuality warnings: %d\nNext: %s",
		t.Attempts, t.MaxAttempts, orWord(deref(t.LastGate)), orWord(deref(t.Branch)), text.Line(t.Error),
		yesNo(t.Stuck), text.Line(t.StuckWhy), t.QualityWarnings, text.Line(t.Next))
	return &junitFault{Message: text.Clip(t.Error, 300), Type: text.Line(string(t.Status) + "/" + string(t.Reason)), Text: b.String()}
}

// stampOf is a time without a zone, as the format wants it, in UTC.
func stampOf(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}
