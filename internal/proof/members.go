package proof

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// freeTOML are the keys of a pyproject.toml or Cargo.toml that judge nothing in this change:
// programs, features that no command of the gate names, and new members of a workspace.
func (d *diff) freeTOML(p string) (free [][]string, err error) {
	var old, now table
	for f, t := range map[File]*table{d.base[p]: &old, d.work[p]: &now} {
		data, err := d.contentOf(f)
		if err != nil || toml.Unmarshal(data, t) != nil {
			return nil, err
		}
	}
	if _, err := d.gateTexts(); err != nil {
		return nil, err
	}
	first := func(t table, keys ...string) any {
		for _, v := range at(t, keys) {
			return v
		}
		return nil
	}
	programs := [][]string{{"project", "scripts"}, {"project", "gui-scripts"}, {"tool", "poetry", "scripts"}}
	members := []string{"tool", "uv", "workspace", "members"}
	if path.Base(p) == "Cargo.toml" {
		programs, members = nil, []string{"workspace", "members"}
		free = d.freeFeatures(first(old, "features"), first(now, "features"))
	}
	for _, keys := range programs {
		if programsFree(first(old, keys...), d.commands) && programsFree(first(now, keys...), d.commands) {
			free = append(free, keys)
		}
	}
	list := first(now, members...)
	if !d.addsFolders(p, first(old, members...), list) {
		return free, nil
	}
	plain, err := d.plainCrates(p, list)
	if err == nil && plain {
		free = append(free, members)
	}
	return free, err
}

// freeFeatures are the features of a crate that neither a command of the gate nor the
// defaults turn on.
func (d *diff) freeFeatures(old, now any) (free [][]string) {
	roots := []string{"default"}
	for _, s := range switchesIn(d.commands) {
		if s == allFeatures {
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
		t, _ := features.(table)
		for name := range t {
			names[name] = true
		}
	}
	for name := range names {
		if !on[name] {
			free = append(free, []string{"features", name})
		}
	}
	return free
}

// plainCrates reports whether none of the members that a workspace gets turns on features of
// another crate of the tree: the tests of all members would have them.
func (d *diff) plainCrates(p string, members any) (bool, error) {
	list, _ := members.([]any)
	for _, v := range list {
		name, _ := v.(string)
		f := d.work[path.Join(dirOf(p), name, "Cargo.toml")]
		if f.ID == d.base[f.Path].ID {
			continue
		}
		data, err := d.Content(f.ID)
		if err != nil {
			return false, err
		}
		var t table
		if toml.Unmarshal(data, &t) != nil {
			return false, nil
		}
		for _, keys := range cargoDependencies {
			for _, dependencies := range at(t, keys) {
				all, _ := dependencies.(table)
				for _, one := range all {
					if o, is := one.(table); is && o["features"] != nil && (o["path"] != nil || o["workspace"] != nil) {
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
func (d *diff) mergeGoWork(p string) (merger, error) {
	mods, _, err := d.reading(func(f File) bool { return path.Base(f.Path) == "go.mod" })
	if err != nil {
		return nil, err
	}
	unrelated := func(dir string) bool {
		data, err := d.contentOf(d.work[path.Join(dir, "go.mod")])
		for _, s := range goStatements(string(data)) {
			if module, is := strings.CutPrefix(s, "module "); is {
				return err == nil && !slices.ContainsFunc(mods, func(f File) bool {
					known, err := d.Content(f.ID)
					return err != nil || !replacesNew("replace "+module+" => ./x", known)
				})
			}
		}
		return false
	}
	return func(base, work []byte) ([]byte, bool, bool) {
		old, rest := goStatements(string(base)), []string(nil)
		var had, has []any
		for _, s := range old {
			had = append(had, strings.TrimPrefix(s, "use "))
		}
		for _, s := range goStatements(string(work)) {
			dir, uses := strings.CutPrefix(s, "use ")
			if uses && !slices.Contains(old, s) && unrelated(path.Join(dirOf(p), dir)) {
				has = append(has, dir)
				continue
			}
			rest = append(rest, s)
		}
		return base, sameLines(old, rest) && d.addsFolders(p, had, slices.Concat(had, has)), base != nil
	}, nil
}
