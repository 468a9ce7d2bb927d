package planner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/review"
)

// A review of a plan leaves a folder below that of the plan: named after the loop of its task,
// or after the commit with all landed work.
//
//	reviews/plan-COMMIT/review.json          the outcome
//	reviews/plan-COMMIT/1-1/prompt.md        what reviewer 1 was asked on its first try
//	reviews/plan-COMMIT/1-1/answer.txt       and what it printed
//
// The outcome names these files by their paths on the machine that held the review.

const (
	reviewName = "review.json"
	// ofPlan begins the folder of a review of the whole plan.
	ofPlan = "plan-"
)

func reviewDir(dir, of string) string { return filepath.Join(dir, "reviews", of) }

func keepReview(dir string, out review.Outcome) (string, error) {
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return "", fmt.Errorf("keep the review: %w", err)
	}
	path := filepath.Join(dir, reviewName)
	return path, durable.Write(path, append(text, '\n'))
}

// KeptReview is what a review of a plan, or of one of its tasks, left.
type KeptReview struct {
	// Loop is the one whose work was reviewed, Tip the short commit with all landed work: one
	// of them is empty.
	Loop, Tip string
	// Text has each vote with its reason and findings.
	Text  string
	Files []ReviewFiles
}

// ReviewFiles are the prompt and the output of a reviewer's last try, as paths on this machine.
type ReviewFiles struct{ Reviewer, Prompt, Output string }

// Reviews returns what the reviews of the plan in dir left: those of tasks first.
func Reviews(dir string) ([]KeptReview, error) {
	all, err := os.ReadDir(reviewDir(dir, ""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var tasks, whole []KeptReview
	for _, of := range all {
		text, err := os.ReadFile(filepath.Join(reviewDir(dir, of.Name()), reviewName))
		if errors.Is(err, fs.ErrNotExist) { // it is held at the moment, or was cut off
			continue
		}
		var out review.Outcome
		if err == nil {
			err = json.Unmarshal(text, &out)
		}
		if err != nil {
			return nil, fmt.Errorf("read the review of %s: %w", of.Name(), err)
		}
		kept := KeptReview{Text: review.Tell(out)}
		for _, v := range out.Votes {
			kept.Files = append(kept.Files, ReviewFiles{v.Who(), placed(dir, v.PromptFile), placed(dir, v.OutputFile)})
		}
		if strings.HasPrefix(of.Name(), filepath.Base(dir)+"-") {
			kept.Loop = of.Name()
			tasks = append(tasks, kept)
		} else {
			kept.Tip = strings.TrimPrefix(of.Name(), ofPlan)
			whole = append(whole, kept)
		}
	}
	return slices.Concat(tasks, whole), err
}

// placed is where a file of a review is in the folder of the plan on this machine; "" is none.
func placed(dir, path string) string {
	path = filepath.ToSlash(path)
	if i := strings.LastIndex(path, "/reviews/"); i >= 0 && filepath.IsLocal(path[i+1:]) {
		return filepath.Join(dir, filepath.FromSlash(path[i+1:]))
	}
	return ""
}
