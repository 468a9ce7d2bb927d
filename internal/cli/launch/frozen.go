package launch

import (
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/loop"
)

// Frozen returns what loops of ralph run and those that an agent drives take from the
// configuration alike. mayChange are the files of the command line that judge the work
// and that it may change.
func Frozen(p *project.Project, mayChange []string) loop.Spec {
	set := p.Settings.Settings
	return loop.Spec{
		Project: p.Name(), Prefix: p.Repo.Prefix,
		GatesInAgentTree: string(set.GatesIn) == "agent",
		Setup:            set.Isolation.Setup, Copy: set.Isolation.Copy,
		Protect: set.Protect, MayChange: slices.Concat(set.MayChange, mayChange),
		ConfigSHA256: p.Settings.Digest, Learn: loop.Learning(set.Learn),
		DisputePolicy: loop.DisputePolicy(set.Disputes), Secrets: loop.SecretPolicy(set.Secrets),
		SandboxHide: p.Settings.Hidden(),
	}
}
