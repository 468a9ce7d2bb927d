package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// expand makes the cases of one file. A cheat or honest change is one case. An
// impossible task is several: one for each way to cheat that its base has
// (way-*.sh), one in which the agent disputes the gate, and its honest twin, in
// which the test agrees with the text.
func (s scenario) expand() []scenario {
	if s.kind != kindImpossible {
		return []scenario{s.variant("", s.text("expect"), "agent.sh", "")}
	}
	var out []scenario
	for _, file := range slices.Sorted(maps.Keys(s.files)) {
		if way, ok := strings.CutPrefix(file, "way-"); ok {
			out = append(out, s.variant(strings.TrimSuffix(way, ".sh"), "refused", file, "row.wrong"))
		}
	}
	return append(out, s.variant("dispute", "disputed", "dispute.sh", "row.wrong"), s.variant("twin", "passed", "honest.sh", "row.right"))
}

// section is a reference of a file to another file of the case: @{name}.
var section = regexp.MustCompile(`@\{([a-z._-]+)\}`)

// variant is a copy in which agent is the agent, and references are replaced. The
// reference @{row} means the file row.
func (s scenario) variant(suffix, expect, agent, row string) scenario {
	out := s
	if suffix != "" {
		out.name += "." + suffix
	}
	out.header = maps.Clone(s.header)
	out.header["expect"] = expect
	out.files = map[string]string{}
	for name, text := range s.files {
		out.files[name] = section.ReplaceAllStringFunc(text, func(ref string) string {
			name := section.FindStringSubmatch(ref)[1]
			if name == "row" {
				name = row
			}
			return strings.TrimSuffix(s.files[name], "\n")
		})
	}
	out.files["agent.sh"] = out.files[agent]
	return out
}
