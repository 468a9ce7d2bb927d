package judge

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

// freeTOML are the keys of a pyproject.toml or Cargo.toml that judge nothing in this change:
// programs, features that no command of the gate names, and new members of a workspace.
func (g *gateRun) freeTOML(p string) (free [][]string, err error) {
	var old, now manifest.Table
	for f, t := range map[proof.File]*manifest.Table{g.Before[p]: &old, g.After[p]: &now} {
		data, err := g.ContentOf(f)
		if err != nil || toml.Unmarshal(data, t) != nil {
			return nil, err
		}
	}
	first := func(t manifest.Table, keys ...string) any {
		for _, v := range manifest.At(t, keys) {
			return v
		}
		return nil
	}
	programs := [][]string{{"project", "scripts"}, {"project", "gui-scripts"}, {"tool", "poetry", "scripts"}}
	members := []string{"tool", "uv", "workspace", "members"}
	if path.Base(p) == "Cargo.toml" {
		programs, members = nil, []string{"workspace", "members"}
		free = g.freeFeatures(first(old, "features"), first(now, "features"))
	}
	for _, keys := range programs {
		if programsFree(first(old, keys...), g.commands) && programsFree(first(now, keys...), g.commands) {
			free = append(free, keys)
		}
	}
	list := first(now, members...)
	if !g.addsFolders(p, first(old, members...), list) {
		return free, nil
	}
	plain, err := g.plainCrates(p, list)
	if err == nil && plain {
		free = append(free, members)
	}
	return free, err
}

// freeFeatures are the features of a crate that neither a command of the gate nor the
// defaults turn on.
func (g *gateRun) freeFeatures(old, now any) (free [][]string) {
	roots := []string{"default"}
	for _, s := range switchesIn(g.commands) {
		if s == AllFeatures {
			return nil
		}
		roots = append(roots, strings.TrimPrefix(s, "rust:"))
	}
	on, names := map[string]bool{}, map[string]bool{}
	for _, features := range []any{old, now} {
		here := map[string]bool{}
		for _, name := range roots {
			turnOn(here, features, name)
		}
		maps.Copy(on, here)
		t, _ := features.(manifest.Table)
		for name := range t {
			names[name] = true
		}
	}
	for name := range names {
		if !on[name] || name == "default" && noDefaults(old) && noDefaults(now) {
			free = append(free, []string{"features", name})
		}
	}
	return free
}

// noDefaults reports whether features of a crate are turned on by no default.
func noDefaults(features any) bool {
	t, _ := features.(manifest.Table)
	list, is := t["default"].([]any)
	return len(list) == 0 && (is || t["default"] == nil)
}

// plainCrates reports whether none of the members that a workspace gets turns on features of
// another crate of the tree: the tests of all members would have them.
func (d *Diff) plainCrates(p string, members any) (bool, error) {
	list, _ := members.([]any)
	for _, v := range list {
		name, _ := v.(string)
		f := d.After[path.Join(proof.DirOf(p), name, "Cargo.toml")]
		if f.ID == d.Before[f.Path].ID {
			continue
		}
		data, err := d.Content(f.ID)
		if err != nil {
			return false, err
		}
		var t manifest.Table
		if toml.Unmarshal(data, &t) != nil {
			return false, nil
		}
		for _, keys := range manifest.CargoDependencies {
			for _, dependencies := range manifest.At(t, keys) {
				all, _ := dependencies.(manifest.Table)
				for _, one := range all {
					if o, is := one.(manifest.Table); is && o["features"] != nil && (o["path"] != nil || o["workspace"] != nil) {
						return false, nil
					}
				}
			}
		}
	}
	return true, nil
}

// mergeGoWork takes a go.work of the work as it is where it only uses modules more, in new
// folders and with paths that have nothing to do with those of the base.
func (d *Diff) mergeGoWork(p string) (manifest.Merger, error) {
	mods, _, err := d.reading(func(f proof.File) bool { return path.Base(f.Path) == "go.mod" })
	if err != nil {
		return nil, err
	}
	unrelated := func(dir string) bool {
		data, err := d.ContentOf(d.After[path.Join(dir, "go.mod")])
		for _, s := range manifest.GoStatements(string(data)) {
			if module, is := strings.CutPrefix(s, "module "); is {
				return err == nil && !slices.ContainsFunc(mods, func(f proof.File) bool {
					known, err := d.Content(f.ID)
					return err != nil || !manifest.ReplacesNew("replace "+module+" => ./x", known)
				})
			}
		}
		return false
	}
	return func(base, work []byte) ([]byte, bool, bool) {
		old, rest := manifest.GoStatements(string(base)), []string(nil)
		var had, has []any
		for _, s := range old {
			had = append(had, strings.TrimPrefix(s, "use "))
		}
		for _, s := range manifest.GoStatements(string(work)) {
			dir, uses := strings.CutPrefix(s, "use ")
			if uses && !slices.Contains(old, s) && unrelated(path.Join(proof.DirOf(p), dir)) {
				has = append(has, dir)
				continue
			}
			rest = append(rest, s)
		}
		return base, manifest.SameLines(old, rest) && d.addsFolders(p, had, slices.Concat(had, has)), base != nil
	}, nil
}
