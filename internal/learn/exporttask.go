package learn

import (
	"slices"
	"strings"
	"time"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

var (
	namedError  = lazyregexp.New(`\b(TypeError|ReferenceError|AssertionError|SyntaxError|RuntimeError|TimeoutError|ValidationError)\b`)
	timedOut    = lazyregexp.New(`(?i)\b(timed out|timeout|deadline exceeded)\b`)
	importLine  = lazyregexp.New(`^\+\s*(import\b|from \S+ import\b|#include\b|use \S+;|(const|let|var) .*\brequire\(|"[\w./-]+"$)`)
	blankChange = lazyregexp.New(`^\+\s*[()]?\s*$`)
)

// errorType is the seed's kind of error, where the failure names one.
func errorType(k Known) string {
	said := strings.Join(k.Error, "\n")
	switch m := namedError.FindStringSubmatch(said); {
	case m != nil:
		return m[1]
	case timedOut.MatchString(said):
		return "TimeoutError"
	case k.GateKind == loop.KindTests && len(k.Failing) > 0:
		return "AssertionError"
	}
	return "Other"
}

// fixCategory is the seed's kind of fix, where the change shows it.
func fixCategory(k Known) string {
	manifests := []string{"go.mod", "package.json", "requirements.txt", "pyproject.toml", "Cargo.toml", "pom.xml", "build.gradle", "Gemfile", "composer.json"}
	if len(k.Files) > 0 && !slices.ContainsFunc(k.Files, func(f string) bool {
		return !slices.Contains(manifests, f[strings.LastIndexByte(f, '/')+1:]) && !hidden.MatchString(f)
	}) {
		return "update_dependency"
	}
	added, imports := 0, 0
	for line := range strings.SplitSeq(k.Diff, "\n") {
		if strings.HasPrefix(line, "+") && !blankChange.MatchString(line) {
			added++
			if importLine.MatchString(line) {
				imports++
			}
		}
	}
	if added > 0 && added == imports {
		return "add_import"
	}
	return "other"
}

type learningsFile struct {
	Schema string     `json:"schema"`
	Tasks  []learning `json:"tasks"`
	Notes  []noted    `json:"notes"`
}

// learning is the seed's record of one task.
type learning struct {
	TaskID       string      `json:"task_id"`
	LoopID       string      `json:"loop_id"`
	Description  string      `json:"task_description"`
	Type         string      `json:"task_type"`
	Timestamp    time.Time   `json:"timestamp"`
	Outcome      string      `json:"outcome"`
	Reason       loop.Reason `json:"reason"`
	Iterations   int         `json:"iterations"`
	FinalQuality *float64    `json:"final_quality"`
	Reflections  []string    `json:"reflections"`
	KeyLearnings []string    `json:"key_learnings"`
	Tags         []string    `json:"tags"`
}

type noted struct {
	exported
	Text  string   `json:"text"`
	Paths []string `json:"paths"`
}

// learnings are the ended loops with their patterns, and the notes.
func learnings(all []Known, loops []loop.State) learningsFile {
	out := learningsFile{ExportSchema, []learning{}, []noted{}}
	taught := map[string][]string{}
	for _, k := range all {
		for _, s := range k.Sources {
			if s.Loop != "" {
				taught[s.Loop] = append(taught[s.Loop], k.Summary)
			}
		}
		if k.Kind == Note {
			out.Notes = append(out.Notes, noted{base(k, "note"), k.Text, append([]string{}, k.Paths...)})
		}
	}
	for _, s := range loops {
		if s.Status.Terminal() {
			out.Tasks = append(out.Tasks, learned(s, taught[s.ID]))
		}
	}
	return out
}

func learned(s loop.State, taught []string) learning {
	l := learning{
		TaskID: s.Task.ID, LoopID: s.ID, Description: s.Task.Text, Type: "implementation", Timestamp: s.EndedAt.UTC(),
		Outcome: "failure", Reason: s.Reason, Iterations: s.Iteration, Reflections: []string{},
		KeyLearnings: append([]string{}, taught...), Tags: append([]string{}, words(s.Task.Text)...),
	}
	if s.Status == loop.StatusPassed {
		l.Outcome = "success"
	}
	if s.Message != "" {
		l.Reflections = append(l.Reflections, s.Message)
	}
	if a := s.Last(); a != nil {
		for _, r := range a.Results {
			if r.Value != nil {
				l.FinalQuality = new(*r.Value)
			}
		}
	}
	return l
}
