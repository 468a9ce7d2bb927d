package worker

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/review"
	"ralph/internal/text"
)

// How much a reviewer of judge files is shown: of one file, and of all, in bytes. A
// file that is not shown is not allowed.
const (
	maxJudgeFile  = 24 << 10
	maxJudgeFiles = 160 << 10
)

// reviewJudges asks reviewers about the judge files on which the attempt depends. What
// they said about the same content in an earlier attempt holds.
func (w *Worker) reviewJudges(ctx context.Context, s loop.State, a loop.Action, h *Hooks, subject review.Subject) (loop.Event, error) {
	judges, shown, err := w.judgeFiles(ctx, s, a.Commit)
	if err != nil {
		return nil, err
	}
	e := w.verdict(a, loop.Passed, "")
	if subject.Judges = shown; len(shown) > 0 {
		out, err := w.ask(ctx, s, a, h, subject)
		if err != nil {
			return nil, err
		}
		if e, ok := undecided(s, a, out, w.Now()); ok {
			return e, nil
		}
		if e, err = w.decided(s, a, out, e.Result.StartedAt); err != nil {
			return nil, err
		}
		answer(judges, shown, out)
	}
	r := &e.Result
	r.Judges = judges
	refused := slices.DeleteFunc(slices.Clone(judges), func(f loop.JudgeFile) bool { return f.Allowed })
	switch {
	case len(refused) == 0:
		r.Verdict, r.Reason = loop.Passed, "changes of judge files were allowed: "+listPaths(pathsOf(judges), len(judges))
	case r.Verdict != loop.Error:
		r.Verdict, r.Reason = loop.Failed, "changes of judge files were not allowed: "+refusals(refused)
	}
	return e, nil
}

// answer puts the reviewers' words beside the files that they were shown.
func answer(judges []loop.JudgeFile, shown []review.JudgeFile, out review.Outcome) {
	for i := range judges {
		f := &judges[i]
		if !slices.ContainsFunc(shown, func(s review.JudgeFile) bool { return s.Path == f.Path }) {
			continue
		}
		if said, by, ok := out.Allows(f.Path); ok {
			f.Allowed, f.By, f.Reason = said.Allow, by, said.Reason
		}
	}
}

func pathsOf(judges []loop.JudgeFile) (paths []string) {
	for _, f := range judges {
		paths = append(paths, f.Path)
	}
	return paths
}

// refusals names the first refused files, each with its reason.
func refusals(judges []loop.JudgeFile) string {
	var words []string
	for _, f := range judges {
		if f.Reason != "" {
			f.Path += " (" + f.Reason + ")"
		}
		words = append(words, f.Path)
	}
	return listPaths(words, len(words))
}

// judgeFiles are the contested files of a commit with what was said about them before,
// and those about which a reviewer must be asked.
func (w *Worker) judgeFiles(ctx context.Context, s loop.State, commit string) (judges []loop.JudgeFile, ask []review.JudgeFile, err error) {
	base, err := w.files(ctx, s.Base)
	if err != nil {
		return nil, nil, err
	}
	work, err := w.files(ctx, commit)
	if err != nil {
		return nil, nil, err
	}
	room := maxJudgeFiles
	for _, path := range firstPaths(s.Contested(s.Last().Results)) {
		before, after := fileAt(base, path), fileAt(work, path)
		if known, ok := s.Answered(path, after.ID); ok {
			judges = append(judges, known)
			continue
		}
		f := loop.JudgeFile{Path: path, ID: after.ID}
		shown, ok, err := w.sideBySide(ctx, before, after, room)
		switch {
		case err != nil:
			return nil, nil, err
		case !ok:
			f.Reason = "too large, not plain text, or another mode: only a person can permit it"
		default:
			shown.Path = path
			room -= len(shown.Before) + len(shown.After)
			ask = append(ask, shown)
		}
		judges = append(judges, f)
	}
	return judges, ask, nil
}

// sideBySide returns a file before and after the work; false where it cannot be shown.
func (w *Worker) sideBySide(ctx context.Context, before, after proof.File, room int) (review.JudgeFile, bool, error) {
	f := review.JudgeFile{AbsentBefore: before.ID == "", AbsentAfter: after.ID == ""}
	for _, side := range []struct {
		file proof.File
		to   *string
	}{{before, &f.Before}, {after, &f.After}} {
		if side.file.ID == "" {
			continue
		}
		if side.file.Mode != "100644" && side.file.Mode != "100755" {
			return f, false, nil
		}
		data, err := w.blob(ctx, side.file.ID)
		if err != nil {
			return f, false, err
		}
		if data == nil || len(data) > maxJudgeFile || !plain(string(data)) {
			return f, false, nil
		}
		*side.to = string(data)
	}
	sameMode := f.AbsentBefore || f.AbsentAfter || before.Mode == after.Mode
	sameEnds := strings.Contains(f.Before, "\r\n") || !strings.Contains(f.After, "\r\n")
	return f, sameMode && sameEnds && len(f.Before)+len(f.After) <= room, nil
}

// plain reports whether a text is shown as it is. A line separator that is no end of a
// line for the compiler, a character without width or one that turns the direction
// would show another file than the one that judges.
func plain(s string) bool {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return utf8.ValidString(s) && text.Clean(s) == s
}

func fileAt(files []proof.File, path string) proof.File {
	if i := slices.IndexFunc(files, func(f proof.File) bool { return f.Path == path }); i >= 0 {
		return files[i]
	}
	return proof.File{}
}

// allowedByReview are the judge files whose content on a commit reviewers allowed.
func allowedByReview(s loop.State, work []proof.File) (paths []string) {
	for _, f := range s.Reviewed() {
		if fileAt(work, f.Path).ID == f.ID {
			paths = append(paths, f.Path)
		}
	}
	return paths
}
