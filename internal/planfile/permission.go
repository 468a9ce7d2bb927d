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
	t.RunsOn = append(r.texts(n, "runs_on"), r.texts(n, "runsOn")...)
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
	part.RunsOn = append(part.RunsOn, whole.RunsOn...)
}

// permitted are the members that the JSON formats share.
type permitted struct {
	Kind      plan.TaskKind    `json:"kind,omitempty"`
	Proof     loop.ProofPolicy `json:"proof,omitempty"`
	MayChange []string         `json:"may_change,omitempty"`
	RunsOn    []string         `json:"runs_on,omitempty"`
}

func permissionOf(t plan.Task) permitted { return permitted{t.Kind, t.Proof, t.MayChange, t.RunsOn} }

// takePermission reads one labelled line of a task.
func takePermission(t *plan.Task, name, value string) {
	switch strings.ToLower(name) {
	case "kind":
		t.Kind = plan.TaskKind(strings.ToLower(bare(value)))
	case "proof":
		t.Proof = loop.ProofPolicy(strings.ToLower(bare(value)))
	case "may change":
		t.MayChange = append(t.MayChange, globs(value)...)
	case "runs on":
		t.RunsOn = append(t.RunsOn, globs(strings.ToLower(value))...)
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

// globs reads a list of globs or labels: in code, or without it separated by commas.
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
	if len(own.RunsOn) == 0 && len(t.RunsOn) > 0 {
		b.line("  **Runs on:** %s", strings.Join(t.RunsOn, ", "))
	}
}

// permission reads the frontmatter of a RALPH.md.
func (d document) permission(t *plan.Task) error {
	t.Kind = plan.TaskKind(d.front.values["kind"].text())
	t.Proof = loop.ProofPolicy(d.front.values["proof"].text())
	var err error
	if t.MayChange, err = d.listed("may_change", "globs"); err != nil {
		return err
	}
	t.RunsOn, err = d.listed("runs_on", "labels")
	return err
}

// listed are the entries of a list in the frontmatter, or the one entry without a list.
func (d document) listed(key, what string) (out []string, err error) {
	v := d.front.values[key]
	if v.none() {
		return nil, nil
	}
	if v.node.Kind == yaml.ScalarNode {
		return []string{v.node.Value}, nil
	}
	if v.node.Kind != yaml.SequenceNode {
		return nil, parseError(v.line, "write a list of "+what, "%s is not a list", key)
	}
	for _, n := range v.node.Content {
		if n.Kind != yaml.ScalarNode {
			return nil, parseError(n.Line+1, "put it between quotes", "an entry of %s is not text", key)
		}
		out = append(out, n.Value)
	}
	return out, nil
}
