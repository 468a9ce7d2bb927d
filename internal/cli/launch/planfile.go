package launch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/lazyregexp"
	"ralph/internal/next"
	"ralph/internal/planfile"
	"ralph/internal/text"
)

// ReadPlan reads a plan file. A plan may come from anybody: its mistakes are
// shown cleaned.
func ReadPlan(a *project.Opener, name string) (planfile.File, error) { return ReadPlanAs(a, name, "") }

// ReadPlanAs reads a plan file in a format; an empty one is looked for.
func ReadPlanAs(a *project.Opener, name string, as planfile.Format) (planfile.File, error) {
	f, err := LoadPlan(a, name, as)
	if wrong := Mistakes(err); wrong != nil {
		return f, &exit.Error{Code: exit.Usage, Err: errors.New(text.Clean(wrong.Error())), Hint: wrong.Hint()}
	}
	return f, err
}

// LoadPlan reads a plan file in a format, or in the one that it is found to be
// in. What is wrong with it is planfile.Errors.
func LoadPlan(a *project.Opener, name string, as planfile.Format) (planfile.File, error) {
	data, err := readUpTo(a, name, planfile.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return planfile.File{}, exit.UsageError("name a file that is there", "there is no plan %s", name)
	}
	if err != nil {
		return planfile.File{}, exit.UsageError("name a plan file", "read plan %s: %v", name, err)
	}
	return planfile.ReadAs(name, data, as)
}

// readUpTo reads a regular file, and one byte more than most of a larger one.
func readUpTo(a *project.Opener, name string, most int64) ([]byte, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

// Mistakes are those of a plan file, if that is what went wrong.
func Mistakes(err error) planfile.Errors {
	all, _ := errors.AsType[planfile.Errors](err)
	return all
}

// ShownPath is a path as a person here would type it.
func ShownPath(a *project.Opener, path string) string {
	dir, err := filepath.EvalSymlinks(a.Dir)
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// lookAt answers what stands at a path, or that nothing can be seen there.
func lookAt(path string) (info os.FileInfo, missing bool) {
	info, err := os.Stat(path)
	return info, err != nil
}

// PlanPath answers the path of a plan's file, or "" where the argument is the
// text of a task.
func PlanPath(a *project.Opener, arg string) (string, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	info, missing := lookAt(path)
	looks := looksLikeFile(arg)
	switch {
	case missing && looks && archivedBeside(path):
		return filepath.Join(filepath.Dir(path), "archived", filepath.Base(path)), nil
	case missing && looks:
		return "", exit.UsageError(existingPlan(arg, path), "there is no plan %s", text.Clean(arg))
	case missing || strings.Contains(arg, "\n"):
		return "", nil
	case info.IsDir() && !strings.ContainsAny(arg, " \t"):
		return "", exit.UsageError("name the file", "%s is a folder", arg)
	case !info.Mode().IsRegular():
		return "", nil
	}
	return filepath.EvalSymlinks(path)
}

// extension ends a file's name; a version number is none.
var extension = lazyregexp.New(`^\.[A-Za-z][A-Za-z0-9]{0,9}$`)

// looksLikeFile reports whether an argument names a file rather than a task: one
// word, with a folder before it or an extension behind it, and no address.
func looksLikeFile(arg string) bool {
	if strings.ContainsAny(arg, " \t\n") || strings.Contains(arg, "://") {
		return false
	}
	return strings.ContainsRune(arg, filepath.Separator) || extension.MatchString(filepath.Ext(arg))
}

// existingPlan is the hint for a file that is missing: the one of a similar name in
// its folder, if there is one.
func existingPlan(arg, path string) string {
	entries, _ := os.ReadDir(filepath.Dir(path))
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	if name := text.Nearest(filepath.Base(path), names); name != "" {
		return next.Run(filepath.Join(filepath.Dir(arg), name))
	}
	return "name the file of a plan; a task is more than one word"
}

// archivedBeside: the plan was realised, and its file moved aside.
func archivedBeside(path string) bool {
	info, err := os.Stat(filepath.Join(filepath.Dir(path), "archived", filepath.Base(path)))
	return err == nil && info.Mode().IsRegular()
}
