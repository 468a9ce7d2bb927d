package review

import (
	"strconv"
	"strings"

	"ralph/internal/review/ballot"
	"ralph/internal/text"
)

// Known gaps are called G1, G2, … on the page. A reviewer may call one by its
// number, by its words, or by the line that it reads.

func knownID(i int) string { return "G" + strconv.Itoa(i+1) }

// callByID turns what a vote calls resolved into the numbers of known gaps. What
// names none of them is kept apart: it resolves nothing, and is told.
func (s Subject) callByID(v *ballot.Vote) {
	var ids []string
	for _, name := range v.Resolved {
		if id := s.idOf(name); id != "" {
			ids = append(ids, id)
		} else {
			v.Unknown = append(v.Unknown, name)
		}
	}
	v.Resolved = ids
}

func (s Subject) idOf(name string) string {
	name = spaced(name)
	for i, known := range s.Known {
		id, gap := knownID(i), spaced(text.Line(known))
		for _, call := range []string{id, gap, id + ". " + gap, id + ": " + gap} {
			if strings.EqualFold(name, call) {
				return id
			}
		}
	}
	return ""
}

func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// named turns the ids of known gaps into their texts.
func (s Subject) named(ids []string) []string {
	out := []string{}
	for i, text := range s.Known {
		for _, id := range ids {
			if id == knownID(i) {
				out = append(out, text)
			}
		}
	}
	return out
}
