package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
)

// planFlags are what `ralph run FILE` was told besides the flags of its loops.
type planFlags struct {
	tasks    []string
	attempts int
	bounded  bool // attempts were given
	trust    bool

	parallel, onFailure, unattended, approve string
}

// settings are the flags that are configuration too.
func (f planFlags) settings() []config.Setting {
	var out []config.Setting
	add := func(key, flag, value string) {
		if value != "" {
			out = append(out, config.Setting{Key: key, Flag: flag, Value: value})
		}
	}
	add("plans.parallel", "--parallel", f.parallel)
	add("plans.on_failure", "--on-failure", f.onFailure)
	add("plans.unattended", "--unattended", f.unattended)
	add("plans.approve", "--approve-plan", f.approve)
	return out
}

func (f *planFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.tasks, "task", nil, "of a plan: work on task `ID` and what it needs (may be given again)")
	fl.StringVar(&f.parallel, "parallel", "", "of a plan: at most `N` tasks at once (default 3)")
	fl.IntVar(&f.attempts, "max-attempts", 0, "of a plan: at most `N` attempts of all tasks together, those of plans in tasks' places too (default 3 for each task)")
	fl.StringVar(&f.onFailure, "on-failure", "", "of a plan: when a task fails, `POLICY` skip (what needs it), stop, or ask (default skip)")
	fl.StringVar(&f.unattended, "unattended", "", "of a plan: while nobody answers, `POLICY` wait, default, or fail (default wait)")
	fl.StringVar(&f.approve, "approve-plan", "", "of a plan: an agent writes how it will do each task, and `WHO` agrees before it begins: person (you), review (a reviewer), or off")
	fl.Lookup("approve-plan").NoOptDefVal = "person"
	fl.BoolVar(&f.trust, "trust-plan", false, "of a plan: its commands become gates without asking")
}

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
