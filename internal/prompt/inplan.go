package prompt

import "ralph/internal/loop"

// Plan is the section of the page about the plan around the task. All but the
// numbers are blocks or cleaned text of others.
type Plan struct {
	Title string
	// Constraints, Page and Why are blocks; Page is the whole plan.
	Constraints, Page, Why, Agreed string
	Steps, Open                    []string
	Done                           []Output
	Before                         *Output
	Turns                          int
	Large, Reviewed                bool
	File, OutputFile               string
	// Answers: the agent has no tools, and its answer becomes the output file.
	Answers bool
}

// Output is what another task left: both texts are blocks.
type Output struct {
	Task, Title, Changed, Words string
}

// Bounds of the section about a plan.
const (
	mostSteps    = 60
	mostFindings = 40
)

func inPlan(q quoter, s *loop.State, block int) *Plan {
	in := s.Task.Plan
	if in == nil {
		return nil
	}
	p := &Plan{
		Title: q.word(in.Title), Steps: q.words(in.Steps, mostSteps), Open: q.words(in.Open, mostFindings),
		Turns: in.Turns, Large: in.Large, File: q.word(in.File), OutputFile: q.word(in.OutputFile), Answers: s.Agent.OnlyAnswers(),
	}
	if in.Constraints != "" {
		p.Constraints = q.whole("constraints for every task", in.Constraints, block)
	}
	if in.Page != "" {
		p.Page = q.whole("the whole plan", in.Page, 2*block)
	}
	if in.Agreed != "" {
		p.Agreed, p.Reviewed = q.whole("the approved approach", in.Agreed, 2*block), in.Reviewed
	}
	if in.Why != "" {
		p.Why = q.whole("why the task is open again", in.Why, block)
	}
	for _, o := range in.Done {
		p.Done = append(p.Done, outputOf(q, o, block))
	}
	if in.Before != nil {
		before := outputOf(q, *in.Before, block)
		p.Before = &before
	}
	return p
}

func outputOf(q quoter, o loop.Output, block int) Output {
	out := Output{Task: q.word(o.Task), Title: q.word(o.Title)}
	if o.Changed != "" {
		out.Changed = q.whole("changes of "+out.Task, o.Changed, block)
	}
	if o.Words != "" {
		out.Words = q.whole("report of the agent of "+out.Task, o.Words, block)
	}
	return out
}
