package view

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// ratchetOf is what became of the tests of the base in a gate that passed.
func (l Loop) ratchetOf(r loop.Result) string {
	base := loop.ResultOf(l.Base, r.Gate)
	switch {
	case r.Verdict != loop.Passed || r.Commit == l.Spec.Base || base == nil || base.Tests == nil:
		return ""
	case r.Tests == nil || r.Tests.NamesFile == "":
		return "unknown: the tests have no names"
	case base.Tests.NamesFile == "" && base.Verdict != loop.Passed:
		return "unknown: the base named no tests, where the gate failed: it may not have loaded them"
	case base.Tests.NamesFile == "":
		return "unknown: the tests have no names on the base"
	}
	return fmt.Sprintf("none of the base's tests (%d) is lost without permission", base.Tests.Run)
}

// redGreen is what was seen to fail without the work.
func (l Loop) redGreen(b *strings.Builder, proof *loop.Proof, p Palette) {
	if proof == nil {
		return
	}
	fmt.Fprintf(b, "  %s  %s\n", p.bold("red-green"), text.Line(weighed(proof.Label())))
	fact := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "    %-9s %s\n", name, value)
		}
	}
	fact("gate", text.Line(proof.Gate))
	fact("why", text.Line(proof.Why))
	fact("red tests", listed(proof.Tests, 10))
	fact("weak", text.Line(proof.Weak))
	fact("without", listed(proof.Undone, 10))
	if proof.Variant != "" {
		fact("judged", "commit "+text.Line(proof.Variant))
	}
	for _, r := range proof.Without {
		fact("there", text.Line(r.Gate+": "+finding(r)+limitedTo(r)))
		fact("output", l.evidence(r.OutputFile))
	}
}

// limitedTo tells of a run of some tests alone.
func limitedTo(r loop.Result) string {
	if r.OnlyTests == 0 {
		return ""
	}
	return ", in a run of " + text.Plural(r.OnlyTests, "test") + " alone"
}

// weighed says of a proof that is weaker why it is.
func weighed(label string) string {
	if label == (&loop.Proof{Red: loop.RedByBuild}).Label() {
		return label + " (weaker: the new tests cannot be built or loaded without the work)"
	}
	return label
}
