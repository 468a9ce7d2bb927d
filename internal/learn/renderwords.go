package learn

import (
	"fmt"
	"strings"

	"ralph/internal/prompt/fence"
	"ralph/internal/text"
)

func (k Known) title(nonce string) string {
	failure := "a failure"
	if k.Gate != "" {
		failure += " of gate " + text.Head(fence.Word(nonce, k.Gate), 60)
	}
	if k.Fingerprint != "" {
		failure += " (hash " + text.Head(fence.Word(nonce, k.Fingerprint), 20) + ")"
	}
	switch {
	case k.Text != "":
		return "written down by " + k.writer(nonce)
	case k.Kind == ErrorFix:
		return failure + " that was gone after this change"
	case k.Kind == Anti && k.Fell:
		return "a change under which " + text.Head(fence.Word(nonce, k.Gate), 60) + " measured less"
	case k.Kind == Anti:
		return failure + " that this approach did not end"
	}
	return "how a task nearby passed"
}

func (k Known) writer(nonce string) string {
	if len(k.Sources) > 0 && k.Sources[0].By != "" {
		return text.Head(fence.Word(nonce, k.Sources[0].By), 60)
	}
	return "somebody"
}

// provenance says where a note comes from and how far to trust it.
func (k Known) provenance(nonce string) string {
	var b strings.Builder
	if len(k.Sources) > 0 {
		s := k.Sources[0]
		if s.Loop != "" {
			fmt.Fprintf(&b, "From loop %s", text.Head(fence.Word(nonce, s.Loop), 64))
			if s.Attempt > 0 {
				fmt.Fprintf(&b, ", attempt %d", s.Attempt)
			}
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s; ", s.At.UTC().Format("2006-01-02"))
	}
	if k.Text == "" {
		fmt.Fprintf(&b, "seen in %s; ", times(k.Seen, "loop"))
	}
	b.WriteString(map[bool]string{true: "reviewed by a person", false: "not reviewed by anybody"}[k.Review == Promoted])
	if k.Used == 0 {
		b.WriteString("; shown to no loop yet.")
	} else {
		fmt.Fprintf(&b, "; shown to %s, helped %d.", times(k.Used, "loop"), k.Helped)
	}
	return b.String()
}

// body is what is quoted: a third for the failure, the rest for the change.
func (k Known) body(most int) string {
	var parts []string
	room := most
	if failure := text.Clean(strings.Join(k.Error, "\n")); failure != "" {
		failure = "The failure:\n" + whole(failure, max(most/3-len("The failure:\n"), 0))
		room -= len(failure) + 2
		parts = append(parts, failure)
	}
	if k.Text != "" {
		parts = append(parts, whole(text.Clean(k.Text), room))
	}
	if k.Diff != "" {
		const title = "The change:\n"
		if diff := whole(text.Clean(k.Diff), room-len(title)); diff != "" {
			parts = append(parts, title+diff)
		}
	}
	if k.Kind == Success {
		parts = append(parts, whole(text.Clean(k.approach()), room))
	}
	return strings.Join(parts, "\n\n")
}

// approach of a success in words.
func (k Known) approach() string {
	took := times(k.Attempts.Most, "attempt")
	if k.Attempts.Fewest != k.Attempts.Most {
		took = fmt.Sprintf("%d to %s", k.Attempts.Fewest, took)
	}
	return fmt.Sprintf("%s passed %s in %s.", k.Agent, strings.Join(k.Gates, ", "), took)
}
