package judge

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
	"ralph/internal/proof/syntax"
)

// What a manifest gives to those who use the project is the work's: the files that it
// publishes, its programs, its features, and members of a workspace in new folders. It judges
// where it decides which helper a test gets, which program a gate runs, or how the gate
// builds.

// npmPublished are the members of a package.json that decide which files its users get.
var npmPublished = []string{"main", "module", "exports"}

// npmConditions are those of every user; others can be set by a gate alone.
var npmConditions = []string{"import", "require", "node", "default", "types", "browser", "module-sync", "bun", "deno", "workerd"}

// withPublished returns a package.json with the entries, programs and workspaces of another
// one that judge nothing.
func (j *judging) withPublished(p string, to, from []byte) []byte {
	var old, now map[string]any
	if json.Unmarshal(to, &old) != nil || json.Unmarshal(from, &now) != nil {
		return to
	}
	free := slices.Clone(npmPublished)
	before, after := map[string]string{}, map[string]string{}
	for _, key := range npmPublished {
		if !flatten(key, old[key], before) || !flatten(key, now[key], after) {
			free = nil
		}
	}
	for _, entries := range []map[string]string{before, after} {
		for key, target := range entries {
			if before[key] != after[key] && (j.entryJudges(p, target) || j.entryJudges(p, key[strings.LastIndex(key, " ")+1:])) {
				free = nil
			}
		}
	}
	text := j.Gate.Run + "\n" + strings.Join(slices.Collect(maps.Values(scriptsOf(to))), "\n")
	if programsFree(old["bin"], text) && programsFree(now["bin"], text) {
		free = append(free, "bin")
	}
	if j.addsFolders(p, old["workspaces"], now["workspaces"]) {
		free = append(free, "workspaces")
	}
	return manifest.WithMembers(to, from, free)
}

// flatten adds the targets of an entry by its conditions and names; the last part of a key is
// a name of the package. It reports false for patterns and for conditions that not every user
// sets.
func flatten(key string, value any, into map[string]string) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		into[key] = v
		return !strings.Contains(v, "*")
	case map[string]any:
		for name, inner := range v {
			next := key + " " + name
			if !strings.HasPrefix(name, ".") {
				if !slices.Contains(npmConditions, name) {
					return false
				}
				next = name + " " + key
			}
			if strings.Contains(name, "*") || !flatten(next, inner, into) {
				return false
			}
		}
		return true
	}
	return false
}

// entryJudges reports whether a path beside a manifest is one of a judge file.
func (j *judging) entryJudges(manifest, name string) bool {
	p := path.Join(proof.DirOf(manifest), name)
	for _, ending := range slices.Concat(syntax.NodeEndings, []string{"/index.js", "/index.mjs", "/index.ts"}) {
		f, had := j.Before[p+ending]
		if _, test := j.isTest(p + ending); test || had && (j.named[f.Path] || proof.IsConfig(f.Path)) {
			return true
		}
		if !had {
			continue
		}
		if is, err := j.judgesSource(f); is || err != nil {
			return true
		}
	}
	return false
}

// programsFree reports whether programs that a project installs, a table by name, are none
// that runs tests or that commands name.
func programsFree(programs any, commands string) bool {
	switch v := programs.(type) {
	case nil:
		return true
	case map[string]any:
		for name := range v {
			if manifest.IsRunner(name) || slices.Contains(testPrograms, name) || slices.Contains(interpreters, name) || isShell(name) || strings.Contains(commands, name) {
				return false
			}
		}
		return true
	}
	return false
}

// addsFolders reports whether a list of folders gets new ones only, in which the base has no
// files.
func (d *Diff) addsFolders(p string, old, now any) bool {
	had, was := old.([]any)
	has, is := now.([]any)
	if !was || !is {
		return false
	}
	for _, v := range has {
		name, text := v.(string)
		dir := path.Join(proof.DirOf(p), name)
		if slices.Contains(had, v) {
			continue
		}
		_, file := d.Before[dir]
		if !text || strings.ContainsAny(name, "*?[!") || strings.HasPrefix(dir, "..") || file || d.baseHas(dir) {
			return false
		}
	}
	return !slices.ContainsFunc(had, func(v any) bool { return !slices.Contains(has, v) })
}
