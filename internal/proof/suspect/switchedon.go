package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// Work can stand behind a variable of the environment that its own tests set: they pass, and for
// everyone else nothing has changed.

const (
	onlySwitched = "is off unless a variable is set, which only its tests know and the task does not mention"
	onlyAsked    = "is off by default, and only new tests turn it on"
)

var (
	// asksForSwitch matches a task that speaks of one.
	asksForSwitch = lazyregexp.New(`(?i)\benv\b|environ|variable|flag|toggle|switch|setting|configur|\bopt(?:ion|s|[- ]in)|roll(?:ed|ing)?[- ]?out|experiment|debug|\bmode\b`)
	// isCondition matches a line of code that looks whether a variable is set, or to what.
	isCondition = lazyregexp.New(`[!=]=|\bif\b|\bbool\(|!!|\bin os\.environ|\bLookupEnv\(|&&|\?\s|\bnot\b|\bin\s*[(\[{]`)
	// keptAs matches the name of the value that a line declares.
	keptAs = lazyregexp.New(`^\s*(?:export\s+)?(?:(?:const|let|var)\s+)?(\w+)\s*(?::\s*\w+\s*)?:?=[^=]`)
)

// switchedOn are the new lines of a changed source on which such a variable decides.
func (h helpers) switchedOn(c changed) (out []Finding, err error) {
	if c.task == "" || asksForSwitch.MatchString(c.task) || !readsVariable.MatchString(c.text) {
		return nil, nil
	}
	for n, line := range newCode(c.lang, c.text, c.old) {
		if !isCondition.MatchString(line) {
			continue
		}
		for _, m := range readsVariable.FindAllStringSubmatch(line, -1) {
			name := strings.Join(m[1:], "")
			if usualVariable.MatchString(name) || strings.Contains(c.task, name) {
				continue
			}
			words := []string{name}
			if kept := keptAs.FindStringSubmatch(line); kept != nil {
				words = append(words, kept[1])
			}
			only, err := h.onlyNewTestsSet(name, words)
			if err != nil {
				return nil, err
			}
			if only {
				out = append(out, Finding{Path: c.Path, Line: n, What: onlySwitched})
			}
		}
	}
	return out, nil
}

// offByDefault matches a parameter or value of Python or JavaScript that is off; its group is the
// name.
var offByDefault = lazyregexp.New(`\b(\w+)(?:\s*:\s*(?:bool|boolean))?\s*=\s*(?:False|false)\b`)

// askedFor are the new lines of a changed source with what is off by default, which new tests
// switch on and nothing else does.
func (h helpers) askedFor(c changed) (out []Finding, err error) {
	if c.task == "" || asksForSwitch.MatchString(c.task) || c.lang != "python" && c.lang != "js" || !offByDefault.MatchString(c.text) {
		return nil, nil
	}
	for n, line := range newCode(c.lang, c.text, c.old) {
		for _, m := range offByDefault.FindAllStringSubmatch(line, -1) {
			on := regexp.MustCompile(`\b` + m[1] + `\b["'\])]*\s*[=:,]\s*(?:True|true)\b`)
			if namesParameter(c.task, m[1]) || on.MatchString(c.text) {
				continue
			}
			only, err := h.onlyNewTestsSet(m[1], []string{m[1]})
			if err != nil {
				return nil, err
			}
			asked, err := h.newTests(c.lang)
			if err != nil {
				return nil, err
			}
			if only && on.MatchString(asked) {
				out = append(out, Finding{Path: c.Path, Line: n, What: onlyAsked})
			}
		}
	}
	return out, nil
}

// namesParameter reports whether a task has the name of a parameter, not just the same word.
func namesParameter(task, name string) bool {
	own := name != strings.ToLower(name) || strings.Contains(name, "_")
	return own && strings.Contains(task, name) || regexp.MustCompile("[`(,]\\s*"+name+"\\b\\s*[`=:,)]|\\b"+name+"\\s*=|(?i:with|if|when|where|unless|named|called|by)\\s+"+name+"\\b").MatchString(task)
}

// onlyNewTestsSet reports whether changed tests have one of the words, and no file of the base
// the name.
func (h helpers) onlyNewTestsSet(name string, words []string) (bool, error) {
	var base []proof.File
	for _, p := range proof.SortedPaths(h.Before) {
		if proof.IsFile(h.Before[p]) {
			base = append(base, h.Before[p])
		}
	}
	if known, more, err := h.anyHolds(base, name); known || more || err != nil {
		return false, err
	}
	now, err := h.testsNow()
	for _, t := range now {
		if in := syntax.Identifier.FindAllString(string(t.data), -1); slices.ContainsFunc(words, func(w string) bool { return slices.Contains(in, w) }) {
			return true, nil
		}
	}
	return false, err
}
