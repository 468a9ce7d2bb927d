package plugin

import (
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/plugin"
)

// pluginSchema is the name of the format of plugin --json.
const pluginSchema = "ralph.plugin/v1"

type pluginObject struct {
	Schema  string         `json:"schema"`
	Action  string         `json:"action"`
	Scope   string         `json:"scope"`
	DryRun  bool           `json:"dry_run"`
	Targets []pluginTarget `json:"targets"`
	Warning string         `json:"warning,omitempty"`
}

type pluginTarget struct {
	Name  string       `json:"name"`
	Files []pluginFile `json:"files"`
	Notes []string     `json:"notes"`
}

type pluginFile struct {
	Path   string   `json:"path"`
	Change string   `json:"change,omitempty"`
	Backup string   `json:"backup,omitempty"`
	Kept   []string `json:"kept,omitempty"`
	Diff   string   `json:"diff,omitempty"`
	Text   string   `json:"text,omitempty"`
}

// targetOf is what happened to the files of one target. Differences are for
// those who asked what would happen, notes for those who install.
func targetOf(p plugin.Plan, changes []plugin.Change, dry, notes bool) pluginTarget {
	t := pluginTarget{Name: string(p.Target), Files: []pluginFile{}, Notes: []string{}}
	if notes {
		t.Notes = p.Notes
	}
	for _, c := range changes {
		f := pluginFile{Path: c.Path, Change: c.Kind, Backup: c.Backup, Kept: c.Kept}
		if dry {
			f.Diff = c.Diff
		}
		t.Files = append(t.Files, f)
	}
	return t
}

// words tell what happened, or would.
func (o pluginObject) words(dir string) string {
	var b strings.Builder
	for _, t := range o.Targets {
		fmt.Fprintf(&b, "%s, for %s\n", t.Name, map[string]string{"project": "this repository", "user": "you"}[o.Scope])
		for _, f := range t.Files {
			fmt.Fprintf(&b, "  %-9s  %s\n", f.Change, near(dir, f.Path))
			if f.Backup != "" {
				fmt.Fprintf(&b, "             as it was: %s\n", near(dir, f.Backup))
			}
			for _, k := range f.Kept {
				fmt.Fprintf(&b, "             left alone: %s\n", k)
			}
		}
		for _, f := range t.Files {
			b.WriteString(f.Diff)
		}
		for _, n := range t.Notes {
			b.WriteString("  - " + n + "\n")
		}
	}
	if o.DryRun {
		b.WriteString("nothing was written\n")
	}
	if o.Warning != "" {
		b.WriteString("! " + o.Warning + "\n")
	}
	return b.String()
}

// contents are the files and what would be in them.
func (o pluginObject) contents(dir string) string {
	var b strings.Builder
	for _, t := range o.Targets {
		for _, f := range t.Files {
			fmt.Fprintf(&b, "── %s: %s\n%s\n", t.Name, near(dir, f.Path), f.Text)
		}
		for _, n := range t.Notes {
			b.WriteString("- " + n + "\n")
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// near is a path as seen from a folder it is in, else the whole of it.
func near(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
