package judge

import (
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

// mergePackageOf merges a package.json of the base, in which the work may add scripts that
// the command of a gate does not run, and change what the package gives to its users.
func (j *judging) mergePackageOf(p string) manifest.Merger {
	return func(base, work []byte) ([]byte, bool, bool) {
		if base != nil {
			base = j.withPublished(p, withNewScripts(base, work, j.Gate.Run), work)
		}
		return manifest.MergePackage(base, work)
	}
}

// mergeNewPackage merges a package.json that the work added in a folder of its own. It may
// have the scripts of another package, word by word: commands for all members of a workspace
// run them.
func (d *Diff) mergeNewPackage() (manifest.Merger, error) {
	files, _, err := d.reading(func(f proof.File) bool { return path.Base(f.Path) == "package.json" })
	if err != nil {
		return nil, err
	}
	known := map[[2]string]bool{}
	for _, f := range files {
		data, err := d.Content(f.ID)
		if err != nil {
			return nil, err
		}
		for name, text := range scriptsOf(data) {
			known[[2]string{name, text}] = true
		}
	}
	return func(base, work []byte) ([]byte, bool, bool) {
		judging, scripts := manifest.NpmJudges, scriptsOf(work)
		maps.DeleteFunc(scripts, func(name, text string) bool { return known[[2]string{name, text}] })
		if len(scripts) == 0 {
			judging = slices.DeleteFunc(slices.Clone(manifest.NpmJudges), func(key string) bool { return key == "scripts" })
		}
		return manifest.MergeJSON(base, work, manifest.NpmDependencies, judging)
	}, nil
}

// ranByNpm matches names of scripts that npm runs by itself, before or after others, or for a
// command with a short name: https://docs.npmjs.com/cli/using-npm/scripts#life-cycle-scripts
var ranByNpm = lazyregexp.New(`^(?:pre|post|install|uninstall|dependencies|shrinkwrap|test$)`)

// withNewScripts returns a package.json with the scripts that another one adds, where those
// that it has are the same and neither they nor a command may run a new one.
func withNewScripts(to, from []byte, command string) []byte {
	old, now := scriptsOf(to), scriptsOf(from)
	commands := command
	for name, text := range old {
		if now[name] != text {
			return to
		}
		commands += "\n" + text
	}
	for name := range now {
		restarts := name == "stop" && strings.Contains(commands, "restart")
		if _, had := old[name]; !had && (name == "" || restarts || ranByNpm.MatchString(name) || strings.Contains(commands, name) || strings.Contains(commands, "*")) {
			return to
		}
	}
	if len(now) == len(old) {
		return to
	}
	return manifest.WithMembers(to, from, []string{"scripts"})
}

// scriptsOf are the scripts of a package.json that are texts; nil where it cannot be read.
func scriptsOf(data []byte) (scripts map[string]string) {
	all, err := manifest.Members(data)
	m, has := manifest.Last(all, "scripts")
	if err != nil || !has {
		return nil
	}
	err = json.Unmarshal(m.Value(data), &scripts)
	if _, otherType := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !otherType {
		return nil
	}
	return scripts
}
