package worker

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof/judge"
	"ralph/internal/sandbox/room"
	"ralph/internal/text"
)

// workSetup is what set-up left for the dependencies of the work.
type workSetup struct {
	// files is the folder of the packages that the base does not have; "" for none.
	files string
	// note is why the gate may lack a dependency of the work; "" where it has all.
	note string
	// output is what the set-up printed, cut in the middle, where it did not succeed.
	output string
}

// explain adds to the result of a gate that did not pass why dependencies are missing.
func (s workSetup) explain(r *loop.Result) {
	if r.Verdict == loop.Passed || s.note == "" {
		return
	}
	r.Reason += "; " + s.note
	if s.output != "" {
		r.Excerpt += "\n\nThe set-up with the dependencies of the work printed:\n" + s.output
	}
}

// madeSetup is the file of a set-up for the work, beside its packages.
type madeSetup struct {
	// For names the base, the set-up and the commit.
	For  string `json:"for"`
	Note string `json:"note,omitempty"`
	// Output is what it printed, cut in the middle, where it did not succeed.
	Output string `json:"output,omitempty"`
}

// setUpWork installs the dependencies that the work adds, where it changed a file that
// lists them. The gate sees them below what set-up left on the base: see addition. The
// commands are the loop's own, what they run is as on the base, and they are held as a
// gate is: a dependency of the work may run its own code. What they leave in the HOME is
// thrown away. Where they do not succeed, the gate runs with what the base has, as it
// says in its reason if it fails.
func (w *Worker) setUpWork(ctx context.Context, s loop.State, e evaluation, h *Hooks) (workSetup, error) {
	tree := s.GateTree
	if len(s.Setup) == 0 || e.OnBase || e.Gate.IsReview() || s.GatesInAgentTree && e.variant == "" && !e.Gate.Hidden {
		return workSetup{}, nil
	}
	base := s.Base
	if made, err := os.ReadFile(filepath.Join(setupDir(tree), "base")); err == nil {
		base = string(made)
	}
	if changed, err := w.dependenciesChanged(ctx, base, cmp.Or(e.variant, e.Commit)); err != nil || !changed {
		return workSetup{}, err
	}
	dir := filepath.Join(setupDir(tree), "work")
	want, err := w.workSetupFor(ctx, s, base, e.Commit)
	if err != nil {
		return workSetup{}, err
	}
	var made madeSetup
	if data, err := os.ReadFile(filepath.Join(dir, "made.json")); err != nil || json.Unmarshal(data, &made) != nil || made.For != want {
		room.RemoveAll(dir)
		made = madeSetup{For: want}
		if made.Note, made.Output, err = w.installForWork(ctx, s, e, base, dir, h); err != nil {
			return workSetup{}, fmt.Errorf("run the set-up for the work: %w", err)
		}
		data, err := json.Marshal(made)
		if err = errors.Join(err, durable.Write(filepath.Join(dir, "made.json"), data)); err != nil {
			return workSetup{}, err
		}
	}
	return workSetup{files: filepath.Join(dir, "files"), note: made.Note, output: made.Output}, nil
}

// lacksPackage matches what a gate prints that finds a package missing.
var lacksPackage = lazyregexp.New(`ModuleNotFoundError|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND`)

// notInstalled tells why a gate finds a package missing where the work changes dependencies and
// no command of the loop installs any.
func (w *Worker) notInstalled(ctx context.Context, s loop.State, e evaluation, r *loop.Result) error {
	if len(s.Setup) > 0 || e.OnBase || r.Verdict == loop.Passed || !lacksPackage.MatchString(r.Excerpt) {
		return nil
	}
	changed, err := w.dependenciesChanged(ctx, s.Base, cmp.Or(e.variant, e.Commit))
	if changed {
		r.Reason += "; the work changes dependencies, and no isolation.setup installs them: a person can name the command there, such as npm ci"
	}
	return err
}

func (w *Worker) dependenciesChanged(ctx context.Context, base, commit string) (bool, error) {
	was, err := w.files(ctx, base)
	if err != nil {
		return false, err
	}
	now, err := w.files(ctx, commit)
	return err == nil && judge.DependenciesChanged(was, now), err
}

// workSetupFor names what a set-up for the work is made of. A dependency may be a folder of
// the repository, so that it is the whole commit.
func (w *Worker) workSetupFor(ctx context.Context, s loop.State, base, commit string) (string, error) {
	setup, err := w.setupFor(ctx, s, base)
	if err != nil {
		return "", err
	}
	tree, err := w.Repo.TreeOf(ctx, commit)
	sum := sha256.Sum256([]byte(setup + tree))
	return hex.EncodeToString(sum[:]), err
}

// installForWork runs the set-up on the commit, in the gate's worktree, and keeps the
// packages that the base does not have in dir.
func (w *Worker) installForWork(ctx context.Context, s loop.State, e evaluation, base, dir string, h *Hooks) (note, output string, err error) {
	tree, all, files := s.GateTree, filepath.Join(dir, "all"), filepath.Join(dir, "files")
	commit, kept, err := w.withSetupOfBase(ctx, s, e, base)
	if err != nil {
		return "", "", err
	}
	if err := errors.Join(w.Repo.CheckoutDetached(ctx, tree, commit), w.Repo.CleanIgnored(ctx, tree), os.MkdirAll(all, 0o700), os.MkdirAll(files, 0o700)); err != nil {
		return "", "", err
	}
	defer room.RemoveAll(all)
	if err := w.copyFiles(s, tree); err != nil {
		return "", "", err
	}
	c := chore{what: "setup", log: "setup-work", attempt: e.attempt, tree: tree, timeout: s.SetupTimeout()}
	err = w.runSetup(ctx, s, h, c)
	if errors.Is(err, errChore) {
		const why = "its dependencies are those of the base, since with those of the work "
		return joined(why+err.Error(), kept), w.printed(c, len(s.Setup)), w.Repo.CleanIgnored(ctx, tree)
	}
	if err == nil {
		err = w.moveIgnored(ctx, tree, all)
	}
	if err = errors.Join(err, w.Repo.CleanIgnored(ctx, tree)); err == nil {
		note, err = w.addPackages(ctx, s, e, base, all, files)
	}
	return joined(note, kept), "", err
}

// joined adds to a note which manifests were taken from the base.
func joined(note string, kept []string) string {
	if len(kept) == 0 {
		return note
	}
	why := "the set-up had " + text.Few(kept, 5) + " as on the base, since the work changes there more than dependencies by name and version; a person can add others on the base"
	if note != "" {
		why = note + "; " + why
	}
	return why
}

// printed is the beginning and the end of what the last set-up command printed.
func (w *Worker) printed(c chore, commands int) string {
	for n := commands; n > 0; n-- {
		if said := ending(filepath.Join(w.Files.Attempt(c.attempt), fmt.Sprintf("%s-%d.log", c.log, n))); said != "" {
			return text.Tail(text.Middle(said, 30), 4<<10)
		}
	}
	return ""
}

// addPackages keeps the packages of the set-up in all that the base does not have.
func (w *Worker) addPackages(ctx context.Context, s loop.State, e evaluation, base, all, files string) (note string, err error) {
	tracked, err := w.files(ctx, base)
	if err != nil {
		return "", err
	}
	paths := make([]string, len(tracked))
	for i, f := range tracked {
		paths[i] = f.Path
	}
	added, err := addPackages(setupFiles(s.GateTree), all, files, s.GateTree, paths, w.Env.Gate(*e.Gate))
	if err != nil {
		return "", err
	}
	return added.missing(), nil
}

// withSetupOfBase is the commit with the files that the set-up runs or obeys as on the
// base. Of files that list dependencies the dependencies are the work's; kept are those that
// are as on the base.
func (w *Worker) withSetupOfBase(ctx context.Context, s loop.State, e evaluation, base string) (commit string, kept []string, err error) {
	g := loop.Gate{Run: strings.Join(s.Setup, "\n"), Dir: s.Prefix}
	e.Gate, e.against = &g, base
	c, err := w.caseOf(ctx, s, e)
	if err != nil {
		return "", nil, err
	}
	judges, err := c.Judges()
	if err != nil {
		return "", nil, fmt.Errorf("compare what the set-up runs with the base: %w", err)
	}
	commit, err = w.Repo.Variant(ctx, e.Commit, gitEdits(judges.Edits))
	return commit, c.KeptManifests(judges), err
}
