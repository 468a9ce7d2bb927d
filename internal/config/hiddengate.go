package config

import (
	"path/filepath"
	"slices"
	"strings"
)

// hidden checks a gate that agents must not see.
func (c *checker) hidden(path string, g Gate) {
	const where = "put the gate into your own file (ralph config show --origin names it), with `in:` for this repository"
	for key, given := range map[string]bool{"hidden": g.Hidden.On(), "files": g.Files != "", "files_ref": g.FilesRef != "", "in": len(g.In) > 0} {
		if given && c.r.Origin(path+"."+key).Layer == ProjectLayer {
			c.fail(path+"."+key, "agents read this file, so nothing in it is hidden", where)
			return
		}
	}
	switch {
	case g.Files != "" && !g.Hidden.On():
		c.fail(path+".files", "only a hidden gate has files of its own", "add `hidden: on`")
	case g.FilesRef != "" && g.Files == "":
		c.fail(path+".files_ref", "it is a name in the repository of files, which is missing", "add `files: FOLDER`")
	case g.Hidden.On() && (g.Kind == "human" || g.Kind == "visual" || g.Kind == "mutation"):
		c.fail(path+".hidden", "a gate of kind "+string(g.Kind)+" cannot be hidden", "delete the key")
	case g.Hidden.On() && c.r.Origin(path+".run").Layer == ProjectLayer:
		c.fail(path+".run", "the command of a hidden gate stands in the repository, where agents read it", where)
	}
}

// choose makes folders of gates absolute, and leaves out the gates that are for other
// repositories than the one with this tree.
func (r *Resolved) choose(tree, home string) {
	for i := range r.Settings.Gates {
		g := &r.Settings.Gates[i].Value
		g.Files = Folder(absolute(string(g.Files), home))
	}
	if tree == "" {
		return
	}
	r.Settings.Gates = slices.DeleteFunc(r.Settings.Gates, func(e Entry[Gate]) bool {
		return len(e.Value.In) > 0 && !slices.ContainsFunc(e.Value.In, func(dir string) bool {
			return below(real(tree), real(absolute(dir, home)))
		})
	})
}

func absolute(path, home string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return path
}

func home(env []string) string {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, "HOME="); ok {
			return v
		}
	}
	return ""
}

// real resolves links, as far as the path exists.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return filepath.Clean(path)
}

func below(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
