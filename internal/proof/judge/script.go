package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

var toolFolders = []string{"scripts", "script", "tools", "tool", "hack", "ci", ".ci", "checks", "check", "build-tools", ".github", ".gitlab", ".circleci", "dev", "etc", "make"}

func isToolFolder(p string) bool {
	return proof.Within(p, func(name string) bool { return slices.Contains(toolFolders, name) })
}

// isScript reports whether a file is a script, a build file or executable, by its name
// and mode.
func isScript(f proof.File) bool {
	ext := strings.ToLower(path.Ext(f.Path))
	switch {
	case f.Path == "" || f.Mode == proof.SubmoduleMode:
		return false
	case f.Mode == proof.LinkMode, proof.IsConfig(f.Path):
		return true
	case f.Mode == proof.ExecMode && (proof.LanguageOf(f.Path) == "" || proof.DirOf(f.Path) == "."):
		return true
	case slices.Contains([]string{".sh", ".bash", ".zsh", ".ksh", ".fish", ".mk", ".awk", ".sed", ".ps1", ".bat", ".cmd"}, ext):
		return true
	}
	return (isToolFolder(f.Path) || checks.MatchString(path.Base(f.Path))) && slices.Contains([]string{".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua", ".go", ".r", ""}, ext)
}

// checks matches the names of programs that check something.
var checks = lazyregexp.New(`(?i)(?:^|[-_.])(?:run_?)?(?:tests?|checks?|verify|validate|lint|ci)(?:[-_.]|$)`)

// startsTasks: files whose tasks call scripts.
func startsTasks(p string) bool {
	name := strings.ToLower(path.Base(p))
	return IsMakefile(p) || name == "package.json" || name == "composer.json" || name == "tox.ini" || name == "noxfile.py" ||
		proof.Matches([]string{"justfile", ".justfile", "taskfile.y*ml", "rakefile", "cmakelists.txt", "pyproject.toml"}, name)
}

// IsMakefile reports whether a path is, by its name, read by make.
func IsMakefile(p string) bool {
	return proof.Matches([]string{"makefile", "gnumakefile", "*.mk"}, strings.ToLower(path.Base(p)))
}

var (
	target = lazyregexp.New(`(?m)^([\w./ -]+?)\s*::?(?:[^=]|$)`)
	phony  = lazyregexp.New(`(?m)^\.PHONY\s*:(.*)$`)
)

// targets finds the files that the targets of a Makefile would be. A phony target
// is never a file.
func (n *naming) targets(dir, makefile string) {
	no := map[string]bool{}
	for _, m := range phony.FindAllStringSubmatch(makefile, -1) {
		for w := range strings.FieldsSeq(m[1]) {
			no[w] = true
		}
	}
	for _, m := range target.FindAllStringSubmatch(makefile, -1) {
		for w := range strings.FieldsSeq(m[1]) {
			if p := path.Join(dir, w); !no[w] && !strings.HasPrefix(w, ".") && n.Before[p].Path == "" {
				n.tasks[p] = true
			}
		}
	}
}
