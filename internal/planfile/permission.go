package planfile

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// permission reads what an object says about the proof of its task.
func (r *reader) permission(n node, t *plan.Task) {
	t.Kind = plan.TaskKind(r.text(n, "kind"))
	t.Proof = loop.ProofPolicy(r.text(n, "proof"))
	t.MayChange = append(r.texts(n, "may_change"), r.texts(n, "mayChange")...)
}

// inheritPermission gives a part what its whole says and it does not.
func inheritPermission(whole plan.Task, part *plan.Task) {
	if part.Kind == "" {
		part.Kind = whole.Kind
	}
	if part.Proof == "" {
		part.Proof = whole.Proof
	}
	part.MayChange = append(part.MayChange, whole.MayChange...)
}

// permitted are the members that the JSON formats share.
type permitted struct {
	Kind      plan.TaskKind    `json:"kind,omitempty"`
	Proof     loop.ProofPolicy `json:"proof,omitempty"`
	MayChange []string         `json:"may_change,omitempty"`
}

func permissionOf(t plan.Task) permitted { return permitted{t.Kind, t.Proof, t.MayChange} }

// takePermission reads one labelled line of a task.
func takePermission(t *plan.Task, name, value string) {
	switch strings.ToLower(name) {
	case "kind":
		t.Kind = plan.TaskKind(strings.ToLower(bare(value)))
	case "proof":
		t.Proof = loop.ProofPolicy(strings.ToLower(bare(value)))
	case "may change":
		t.MayChange = append(t.MayChange, globs(value)...)
	}
}

// permissionBelow reads the labelled lines below a box, in the formats whose other
// labels are words for the agent.
func permissionBelow(t *plan.Task, lines []line) {
	for _, l := range lines {
		if l.code || !strings.Contains(l.text, "**") {
			continue
		}
		if m := label.FindStringSubmatch(l.text); m != nil {
			takePermission(t, m[1], strings.TrimSpace(m[2]))
		}
	}
}

// globs reads a list of globs: in code, or without it separated by commas.
func globs(value string) []string {
	if in := spans(value); len(in) > 0 {
		return in
	}
	var out []string
	for g := range strings.SplitSeq(value, ",") {
		if g = strings.TrimSpace(g); g != "" {
			out = append(out, g)
		}
	}
	return out
}

// globSpans writes globs as code.
func globSpans(all []string) string {
	out := make([]string, len(all))
	for i, g := range all {
		out[i] = code(g)
	}
	return strings.Join(out, ", ")
}

// permission writes the lines below a box that its text does not have.
func (b *page) permission(t plan.Task) {
	var own plan.Task
	permissionBelow(&own, scan(t.Text, 0))
	if own.Kind == "" && t.Kind != "" {
		b.line("  **Kind:** %s", t.Kind)
	}
	if own.Proof == "" && t.Proof != "" {
		b.line("  **Proof:** %s", t.Proof)
	}
	if len(own.MayChange) == 0 && len(t.MayChange) > 0 {
		b.line("  **May change:** %s", globSpans(t.MayChange))
	}
}

// permission reads the frontmatter of a RALPH.md.
func (d document) permission(t *plan.Task) error {
	t.Kind = plan.TaskKind(d.front.values["kind"].text())
	t.Proof = loop.ProofPolicy(d.front.values["proof"].text())
	v := d.front.values["may_change"]
	if v.none() {
		return nil
	}
	if v.node.Kind == yaml.ScalarNode {
		t.MayChange = []string{v.node.Value}
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		return parseError(v.line, "write a list of globs", "may_change is not a list")
	}
	for _, n := range v.node.Content {
		if n.Kind != yaml.ScalarNode {
			return parseError(n.Line+1, "put it between quotes", "an entry of may_change is not text")
		}
		t.MayChange = append(t.MayChange, n.Value)
	}
	return nil
}
