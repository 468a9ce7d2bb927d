package setup

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/detect"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/text"
)

// survey is what there is in a project that a loop could use.
type survey struct {
	head    git.Head
	agents  []installedAgent
	absent  []string
	gates   []*proposal
	setup   []detect.Step
	remarks []string
}

type installedAgent struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// proposal is one gate on its way into ralph.yaml.
type proposal struct {
	detect.Found
	// off is why it is written as a comment; empty: it is not.
	off string
	// result is nil until it was tried.
	result *loop.Result
}

// survey looks around and changes nothing.
func (a *Commands) survey(ctx context.Context, p *project.Project) (*survey, error) {
	head, err := p.Repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	s := &survey{head: head}
	found := detect.Scan(os.DirFS(p.Repo.Root), proc.LookPath)
	s.propose(found)
	for _, name := range registry.Names() {
		if at, err := proc.LookPath(name); err == nil {
			s.agents = append(s.agents, installedAgent{name, at})
		} else {
			s.absent = append(s.absent, name)
		}
	}
	if other, err := config.Find(p.Repo.Root, "", nil); err == nil {
		s.remarks = append(s.remarks, other.Notes...)
	}
	if d, err := p.Repo.Dirty(ctx, ""); err == nil && d.Any() {
		s.remarks = append(s.remarks, "gates are tried on the commit at HEAD, without your uncommitted changes ("+strings.Join(d.Sample, ", ")+")")
	}
	return s, nil
}

// propose takes the root's gates. Projects in sub-directories are offered as
// comments, or as they are where the root itself is none.
func (s *survey) propose(r detect.Result) {
	s.add(r.Project, "")
	for _, n := range r.Nested {
		if len(r.Gates) > 0 {
			s.add(detect.Project{Dir: n.Dir, Gates: n.Gates, Remarks: n.Remarks}, "a project of its own in "+n.Dir+": remove the # to use it")
			continue
		}
		for i := range n.Setup {
			n.Setup[i].Run = inDir(n.Dir, n.Setup[i].Run)
		}
		s.add(n, "")
	}
}

func (s *survey) add(p detect.Project, off string) {
	for _, f := range p.Gates {
		g := &proposal{Found: f, off: off}
		if f.Missing != "" {
			g.off = f.Missing + " is not installed"
		}
		s.gates = append(s.gates, g)
	}
	s.setup = append(s.setup, p.Setup...)
	s.remarks = append(s.remarks, p.Remarks...)
}

// inDir makes a command line run in a folder of any name.
func inDir(dir, command string) string {
	return "cd '" + strings.ReplaceAll(dir, "'", `'\''`) + "' && " + command
}

// draft is the survey as a file.
func (s *survey) draft() config.Draft {
	var d config.Draft
	for _, g := range s.agents {
		d.Agents = append(d.Agents, config.AgentDraft{Name: g.Name, Use: config.Driver(g.Name)})
	}
	for _, g := range s.gates {
		d.Gates = append(d.Gates, config.GateDraft{Gate: g.Gate, Note: g.note(), Off: g.off != ""})
	}
	var sources []string
	for _, step := range s.setup {
		if step.Missing == "" {
			d.Setup = append(d.Setup, step.Run)
			sources = append(sources, step.Source)
		}
	}
	d.SetupNote = strings.Join(slices.Compact(sources), ", ")
	return d
}

// note is the comment behind a gate's name.
func (g *proposal) note() string {
	if g.off != "" {
		return text.Headline(g.off, 100)
	}
	if g.Gate.Kind == loop.KindCoverage && g.result != nil && g.result.Verdict == loop.Passed && g.result.Value != nil {
		return fmt.Sprintf("%.1f %% when this was written", *g.result.Value)
	}
	return ""
}

// sayFound tells what was seen, before anything is run.
func (a *Commands) sayFound(s *survey) {
	wide := s.width()
	for _, g := range s.gates {
		a.Say("found   %s  %s  (%s: %s)%s", text.Pad(g.Gate.Name, wide), text.Clean(launch.GateLine(g.Gate)), g.Source, g.Why, behind(g.off))
	}
	for _, step := range s.setup {
		missing := ""
		if step.Missing != "" {
			missing = step.Missing + " is not installed"
		}
		a.Say("found   %s  %s  (%s)%s", text.Pad("setup", wide), text.Clean(step.Run), step.Source, behind(missing))
	}
	for _, g := range s.agents {
		a.Say("found   %s  %s  (%s)", text.Pad("agent", wide), g.Name, text.Clean(g.Path))
	}
	if len(s.gates) == 0 {
		a.Say("found   no gates: nothing here tells how this project is tested")
	}
	if len(s.agents) == 0 {
		a.Say("found   no agents (looked for %s)", strings.Join(s.absent, ", "))
	}
	for _, r := range s.remarks {
		a.Say("note    %s", text.Clean(r))
	}
}

// width of the column of names.
func (s *survey) width() int {
	wide := len("setup")
	for _, g := range s.gates {
		wide = max(wide, len(g.Gate.Name))
	}
	return min(wide, 24)
}

func behind(reason string) string {
	if reason == "" {
		return ""
	}
	return "  off: " + text.Clean(reason)
}
