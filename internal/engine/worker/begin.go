package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/prompt"
	"ralph/internal/text"
)

// Begin writes the prompt of the next attempt, durably, and returns the
// event that records it. Nothing has been started yet.
func (w *Worker) Begin(ctx context.Context, s loop.State, a loop.Action) (loop.AttemptBegan, error) {
	in := w.promptInput(ctx, s, a)
	frozen, err := os.ReadFile(w.Files.Template())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return loop.AttemptBegan{}, fmt.Errorf("read the prompt's template: %w", err)
	}
	in.Template = string(frozen)
	page, err := prompt.Build(in)
	if err != nil {
		return loop.AttemptBegan{}, err
	}
	path := w.Files.Prompt(a.Attempt)
	if err := durable.Write(path, []byte(page.Text)); err != nil {
		return loop.AttemptBegan{}, fmt.Errorf("write the prompt: %w", err)
	}
	sum := sha256.Sum256([]byte(page.Text))
	return loop.AttemptBegan{Attempt: a.Attempt, PromptFile: path, PromptSHA256: hex.EncodeToString(sum[:]), Learned: page.Learned}, nil
}

func (w *Worker) promptInput(ctx context.Context, s loop.State, a loop.Action) prompt.Input {
	in := prompt.Input{
		State: s, Attempt: a.Attempt, Approach: a.Approach, StateFile: w.StateFile, Program: w.Env.Unlisted(),
		Nonce: token("")[1:], Learned: w.learned(ctx, s),
	}
	if l := s.Last(); l != nil && l.N == a.Attempt {
		in.Interrupted = l.Interruptions > 0
		if driver, ok := w.Drivers[s.Agent.Use]; ok {
			in.Resumed = resume(s, driver.Capabilities()) != nil
		}
	}
	if a.Approach.Shift {
		in.Diffs = w.failedDiffs(ctx, s)
	}
	if a.Approach.Expand {
		in.Context = w.expand(ctx, s)
	}
	return in
}

// failedDiffs returns the changes of the newest failed attempts, for the
// prompt that forbids repeating them.
func (w *Worker) failedDiffs(ctx context.Context, s loop.State) []prompt.Diff {
	const perDiff = 4 << 10
	var out []prompt.Diff
	before := s.Start()
	for i, at := range s.Recent {
		if i == 0 && at.N > 1 { // the state has forgotten what it began from
			before = at.Commit
			continue
		}
		if at.Commit != "" && at.Commit != before && at.N > s.Iteration-s.Limits.StuckAfter {
			d := prompt.Diff{Attempt: at.N}
			stat, _ := w.Repo.DiffStat(ctx, before, at.Commit)
			d.Stat = fmt.Sprintf("%d files, +%d −%d: %s", stat.Files, stat.Insertions, stat.Deletions, strings.Join(at.Files, ", "))
			patch, _, _ := w.Repo.Diff(ctx, before, at.Commit, perDiff)
			d.Patch, d.Subject = text.Visible(string(patch)), w.subjects(ctx, before, at.Commit)
			out = append(out, d)
		}
		if at.Commit != "" {
			before = at.Commit
		}
	}
	return out
}

// subjects are those of the commits that the agent made itself.
func (w *Worker) subjects(ctx context.Context, before, after string) string {
	commits, err := w.Repo.Log(ctx, before, after, 5)
	if err != nil {
		return ""
	}
	var out []string
	for _, c := range commits {
		if !strings.Contains(c.Message, git.LoopTrailer+": ") {
			out = append(out, c.Subject())
		}
	}
	return strings.Join(out, "; ")
}

// expand reads the files that the last failure names, or that mention a symbol
// it lacks, from the newest commit (seed 004's tier 2).
func (w *Worker) expand(ctx context.Context, s loop.State) []prompt.File {
	const maxFiles, perFile = 5, 8 << 10
	commit := s.Tip()
	files, err := w.list(ctx, commit)
	if err != nil {
		return nil
	}
	var out []prompt.File
	for _, name := range mentioned(files, s.MissingInfo()) {
		data, err := w.Repo.FileAt(ctx, commit, name)
		if err != nil || len(out) == maxFiles {
			continue
		}
		out = append(out, prompt.File{Name: name, Text: string(data[:min(len(data), perFile)])})
	}
	if len(out) < maxFiles {
		out = append(out, prompt.File{Name: "all files", Text: strings.Join(files[:min(len(files), 200)], "\n")})
	}
	return out
}

// mentioned lists the files whose path or stem is one of names: "no module
// named util.text" is about util/text.py.
func mentioned(files, names []string) []string {
	var out []string
	for _, f := range files {
		stem := strings.TrimSuffix(f, filepath.Ext(f))
		for _, n := range names {
			n = strings.Trim(strings.TrimPrefix(n, "./"), "/")
			dotted := strings.ReplaceAll(n, ".", "/")
			if f == n || stem == n || stem == dotted || strings.HasSuffix(f, "/"+n) ||
				strings.HasSuffix(stem, "/"+n) || strings.HasSuffix(stem, "/"+dotted) {
				out = append(out, f)
				break
			}
		}
	}
	return out
}
