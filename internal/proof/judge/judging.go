package judge

// judging is the last step of a judgement, which tells the judge files from the others. The steps
// before it are: the files of both commits (Diff), which of them the gate reaches (reach), what it
// runs (gateRun), and what it does by that (Duties). Each is made from the one before, and whole.
type judging struct {
	*gateRun
	does Duties
	// lintLoaded are the files that configuration loads into linters.
	lintLoaded map[string]bool
	// newPackages are folders below vendor/, see addedPackages; ownVendored are files there that
	// are the product's, see vendoredSources; and modules what go.mod requires.
	newPackages, ownVendored map[string]bool
	modules                  versions
	// doctests: the gate may run the examples of documentation.
	doctests once[bool]
}

// judging goes through the steps.
func (d *Diff) judging() (*judging, error) {
	r, err := d.reach()
	if err != nil {
		return nil, err
	}
	g, err := r.run()
	if err != nil {
		return nil, err
	}
	does, err := g.duties()
	if err != nil {
		return nil, err
	}
	j := &judging{gateRun: g, does: does}
	if j.newPackages, err = d.addedPackages(); err != nil {
		return nil, err
	}
	if j.modules, err = d.moduleVersions(); err != nil {
		return nil, err
	}
	if j.ownVendored, err = r.vendoredSources(); err != nil {
		return nil, err
	}
	return j, j.findLintLoads()
}
