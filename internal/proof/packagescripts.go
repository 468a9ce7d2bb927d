package proof

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// mergePackageOf merges a package.json of the base, in which the work may add scripts that
// the command of a gate does not run, and change what the package gives to its users.
func (d *diff) mergePackageOf(p string) merger {
	return func(base, work []byte) ([]byte, bool, bool) {
		if base != nil {
			base = d.withPublished(p, withNewScripts(base, work, d.Gate.Run), work)
		}
		return mergePackage(base, work)
	}
}

// mergeNewPackage merges a package.json that the work added in a folder of its own. It may
// have the scripts of another package, word by word: commands for all members of a workspace
// run them.
func (d *diff) mergeNewPackage() merger {
	return func(base, work []byte) ([]byte, bool, bool) {
		judging := npmJudges
		if d.knowsScripts(scriptsOf(work)) {
			judging = slices.DeleteFunc(slices.Clone(npmJudges), func(key string) bool { return key == "scripts" })
		}
		return mergeJSON(base, work, npmDependencies, judging)
	}
}

// knowsScripts reports whether a package of the base has each of some scripts.
func (d *diff) knowsScripts(scripts map[string]string) bool {
	files, _, err := d.reading(func(f File) bool { return path.Base(f.Path) == "package.json" })
	if err != nil {
		return false
	}
	for name, text := range scripts {
		if !slices.ContainsFunc(files, func(f File) bool {
			data, err := d.Content(f.ID)
			return err == nil && scriptsOf(data)[name] == text
		}) {
			return false
		}
	}
	return true
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
	return withMembers(to, from, []string{"scripts"})
}

// scriptsOf are the scripts of a package.json; nil where they cannot be read.
func scriptsOf(data []byte) (scripts map[string]string) {
	all, err := members(data)
	m, has := last(all, "scripts")
	if err != nil || !has || json.Unmarshal(m.value(data), &scripts) != nil {
		return nil
	}
	return scripts
}
