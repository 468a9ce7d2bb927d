package judge

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// makeCommand matches a command of make, with its arguments.
var makeCommand = lazyregexp.New(`(?m)(?:^|[\s;&|(@"'/])(?:g?make|\$[({]MAKE[)}])((?:[ \t]+[^\s;&|()]+)*)`)

// goalsOf are the goals of the commands of make in a text. made: it has such a command.
func goalsOf(text string) (goals []string, made bool) {
	for _, m := range makeCommand.FindAllStringSubmatch(text, -1) {
		made = true
		words := strings.Fields(m[1])
		for i, w := range words {
			option := strings.HasPrefix(w, "-") || strings.Contains(w, "=") || i > 0 && slices.Contains([]string{"-C", "-f", "-I", "-o", "-W"}, words[i-1])
			if w = strings.Trim(w, `"'`); !option && !slices.Contains(goals, w) {
				goals = append(goals, w)
			}
		}
	}
	return goals, made
}

// ruleLine matches the beginning of a rule of a Makefile: its targets, and what they need.
var ruleLine = lazyregexp.New(`^([^\s#:=][^#:=]*?)\s*::?(?:[^=:]|$)(.*)$`)

// portion returns the lines of a Makefile that its goals run: those outside of rules, and
// the rules of the goals and of what they need. Where that is not known, it is all of it.
func portion(makefile string, goals []string) string {
	type rule struct{ head, needs, text string }
	var rules []*rule
	var out strings.Builder
	targets := map[string]bool{}
	for _, line := range strings.Split(strings.ReplaceAll(makefile, "\\\n", " "), "\n") {
		m := ruleLine.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "\t") && len(rules) > 0:
			rules[len(rules)-1].text += line + "\n"
		case m == nil:
			out.WriteString(line + "\n")
		default:
			rules = append(rules, &rule{m[1], m[2], line + "\n"})
			for t := range strings.FieldsSeq(m[1]) {
				targets[t] = true
			}
		}
	}
	if len(goals) == 0 {
		first := slices.IndexFunc(rules, func(r *rule) bool { return !strings.HasPrefix(r.head, ".") })
		if first < 0 {
			return makefile
		}
		goals = strings.Fields(rules[first].head)
	}
	wanted := map[string]bool{}
	for len(goals) > 0 {
		goal := goals[0]
		goals = goals[1:]
		if wanted[goal] {
			continue
		}
		wanted[goal] = true
		for _, r := range rules {
			if !slices.Contains(strings.Fields(r.head), goal) {
				continue
			}
			if strings.Contains(r.needs, "$") {
				return makefile
			}
			inner, _ := goalsOf(r.text)
			goals = slices.Concat(goals, strings.Fields(r.needs), inner)
		}
	}
	for _, r := range rules {
		if strings.ContainsAny(r.head, "$%") || slices.ContainsFunc(strings.Fields(r.head), func(t string) bool { return wanted[t] }) {
			out.WriteString(r.text)
		}
	}
	return out.String()
}
