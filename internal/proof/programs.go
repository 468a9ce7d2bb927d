package proof

import "slices"

// Programs returns the edits after which the command of a reviewer runs its programs as
// they are on the base: the scripts that it names, what these run and import, and what
// decides how they run. There are none where the command runs no file of the base.
func (c Case) Programs() ([]Edit, error) {
	d, err := c.survey()
	if err != nil || len(d.changed) == 0 {
		return nil, err
	}
	texts, err := d.gateTexts()
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	judges, err := c.Judges()
	if err != nil {
		return nil, err
	}
	edits := judges.Runner
	for _, p := range d.changed {
		runs := slices.ContainsFunc(texts, func(t gateText) bool { return t.runs(p) })
		if runs && !slices.ContainsFunc(edits, func(e Edit) bool { return e.Path == p }) {
			f := d.base[p] // none: it is removed
			edits = append(edits, Edit{Path: p, Mode: f.Mode, ID: f.ID})
		}
	}
	return edits, nil
}

// runs reports whether the text is a file, or runs or imports it.
func (t gateText) runs(p string) bool {
	return !isMakefile(p) && t.from == p || t.includes(p, ".") || t.imports(p)
}
