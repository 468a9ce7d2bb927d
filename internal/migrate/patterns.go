package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"ralph/internal/text"
)

// Lesson is one learned pattern of seed 001, in words. It was
// not checked against a loop.
type Lesson struct {
	// Text describes the failure and the remedy.
	Text string
	// Loop is where it was learned.
	Loop string
}

// Lessons are the lessons of one file.
type Lessons struct {
	Source, SHA256 string
	All            []Lesson
}

// mostLessons bounds one file.
const mostLessons = 500

// ParsePatterns reads error-patterns.json, success-patterns.json or
// anti-patterns.json: a list, or an object that holds one.
func ParsePatterns(data []byte) ([]Lesson, []Loss, error) {
	list, err := listOf(data)
	if err != nil {
		return nil, nil, err
	}
	lost := &losses{}
	var out []Lesson
	for _, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			lost.add("patterns", "holds something that is not a pattern")
			continue
		}
		if len(out) == mostLessons {
			lost.add("patterns", "more than %d; the rest is left out", mostLessons)
			break
		}
		if l := lessonOf(newFields("patterns[].", m, lost)); l.Text != "" {
			out = append(out, l)
		}
	}
	return out, lost.all, nil
}

// listOf is the list in a file: all of it, or the longest list in an object.
func listOf(data []byte) ([]any, error) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '[' {
		m, err := object(data)
		if err != nil {
			return nil, err
		}
		var longest []any
		for _, v := range m {
			if list, ok := v.([]any); ok && len(list) > len(longest) {
				longest = list
			}
		}
		return longest, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var list []any
	if err := dec.Decode(&list); err != nil {
		return nil, broken(data, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, &Error{Line: lineAt(data, dec.InputOffset()+1), Why: "something follows the end of the list"}
	}
	return list, nil
}

// lessonOf puts a pattern of any kind into words.
func lessonOf(f fields) Lesson {
	signature, fix, approach, better := f.object("error_signature"), f.object("fix_approach"), f.object("approach"), f.object("better_alternative")
	var parts []string
	say := func(format, words string) {
		if words = text.Clip(words, 300); words != "" {
			parts = append(parts, fmt.Sprintf(format, words))
		}
	}
	say("Error %s", strings.TrimSpace(signature.text("error_type")+" "+signature.text("error_pattern")))
	say("Fix: %s", fix.text("description"))
	say("What worked: %s", approach.text("description"))
	say("Steps: %s", strings.Join(approach.texts(10, "steps"), "; "))
	say("What failed: %s", f.text("approach_description"))
	say("Why: %s", f.text("why_it_fails"))
	say("Better: %s", better.text("description"))
	if rate, n := f.number("success_rate"), f.whole("usage_count"); rate != nil && n > 0 && len(parts) > 0 {
		parts = append(parts, fmt.Sprintf("(aiwg says: helped in %.0f %% of %d uses)", 100**rate, n))
	}
	const most = 1900 // bytes, somewhat less than ralph keeps of a note
	l := Lesson{Text: strings.Join(parts, ". ")}
	l.Text = strings.ToValidUTF8(l.Text[:min(len(l.Text), most)], "")
	if from := f.list("source_loops"); len(from) > 0 {
		if m, ok := from[0].(map[string]any); ok {
			l.Loop = text.Clip(newFields("", m, f.lost).text("loop_id"), 100)
		}
	}
	return l
}

// patterns reads what was learned.
func (l *looking) patterns(dir string) {
	for _, e := range l.entries(dir) {
		name := path.Join(dir, e.Name())
		if e.IsDir() || path.Ext(name) != ".json" {
			l.lost.add(strings.TrimPrefix(name, l.folder.Path+"/"), staysThere)
			continue
		}
		data, ok := l.read(name)
		if !ok {
			continue
		}
		all, lost, err := ParsePatterns(data)
		if err != nil {
			l.refuse(name, err)
			continue
		}
		for _, loss := range lost {
			l.lost.add(e.Name()+" "+loss.What, "%s", loss.Why)
		}
		if len(all) > 0 {
			l.folder.Lessons = append(l.folder.Lessons, Lessons{name, digest(data), all})
		}
	}
}
