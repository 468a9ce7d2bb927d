package cli

import (
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/cli/exit"
)

// lookAt answers what stands at a path, or that nothing can be seen there.
func lookAt(path string) (info os.FileInfo, missing bool) {
	info, err := os.Stat(path)
	return info, err != nil
}

// planPath answers the path of a plan's file, or "" where the argument is the
// text of a task.
func (a *app) planPath(arg string) (string, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	info, missing := lookAt(path)
	looks := !strings.ContainsAny(arg, " \n") && (strings.HasSuffix(arg, ".md") || strings.HasSuffix(arg, ".json"))
	switch {
	case missing && looks && archivedBeside(path):
		return filepath.Join(filepath.Dir(path), "archived", filepath.Base(path)), nil
	case missing && looks:
		return "", exit.UsageError("name an existing plan; a task is more than one word", "there is no plan %s", arg)
	case missing || strings.Contains(arg, "\n"):
		return "", nil
	case info.IsDir() && strings.ContainsRune(arg, filepath.Separator):
		return "", exit.UsageError("name the file", "%s is a folder", arg)
	case !info.Mode().IsRegular():
		return "", nil
	}
	return filepath.EvalSymlinks(path)
}

// archivedBeside: the plan was realised, and its file moved aside.
func archivedBeside(path string) bool {
	info, err := os.Stat(filepath.Join(filepath.Dir(path), "archived", filepath.Base(path)))
	return err == nil && info.Mode().IsRegular()
}
