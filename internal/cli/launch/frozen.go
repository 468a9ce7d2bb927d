package launch

import (
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/loop"
)

// Frozen returns what loops of ralph run and those that an agent drives take from the
// configuration alike, and from the flags that both have.
func Frozen(p *project.Project, f Flags) loop.Spec {
	set := p.Settings.Settings
	return loop.Spec{
		Project: p.Name(), Prefix: p.Repo.Prefix,
		GatesInAgentTree: string(set.GatesIn) == "agent",
		Setup:            set.Isolation.Setup, Copy: set.Isolation.Copy,
		Protect: set.Protect, MayChange: slices.Concat(set.MayChange, f.MayChange),
		Refuse:       refuseToo(set.Refuse.Codes(), f.Refuse),
		ConfigSHA256: p.Settings.Digest, Learn: loop.Learning(set.Learn),
		DisputePolicy: loop.DisputePolicy(set.Disputes), Secrets: loop.SecretPolicy(set.Secrets),
		SandboxHide: p.Settings.Hidden(),
	}
}
