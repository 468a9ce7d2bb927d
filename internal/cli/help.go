package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

// helpWidth is the number of columns of every help text.
const helpWidth = 80

// showHelp prints what a command does, examples, and how it is called: no line is wider
// than a terminal, but for commands, which are copied.
func showHelp(cmd *cobra.Command, _ []string) {
	var b strings.Builder
	if about := cmp.Or(cmd.Long, cmd.Short); about != "" {
		b.WriteString(folded(strings.TrimRight(about, " \n")) + "\n\n")
	}
	if cmd.HasExample() {
		b.WriteString("Examples:\n" + examples(cmd.Example) + "\n\n")
	}
	if cmd.Runnable() || cmd.HasSubCommands() {
		b.WriteString(eachLine(optionalValues(cmd.UsageString()), hung))
	}
	fmt.Fprint(cmd.OutOrStdout(), b.String())
}

// optionalValues writes a flag whose value can be left out as --flag[=VALUE], in the same
// columns.
func optionalValues(usage string) string {
	return optionalValue.ReplaceAllStringFunc(usage, func(s string) string {
		m := optionalValue.FindStringSubmatch(s)
		return text.Pad(m[1]+"[="+m[2]+"]", text.Width(s))
	})
}

// optionalValue is such a flag as pflag writes it, with the value that stands for none.
var optionalValue = lazyregexp.New(`(--[a-z-]+) ([A-Z]+)\[="?[^"\]]*"?\]`)

// eachLine replaces each line by one or more.
func eachLine(s string, by func(string) []string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		out = append(out, by(line)...)
	}
	return strings.Join(out, "\n")
}

// folded sets paragraphs anew. Lines that are indented stay lines of their own, but for
// those that continue the text behind a name, which are set anew with it.
func folded(s string) string {
	var out, paragraph []string
	item := ""
	flush := func() {
		out = append(out, text.WrapWords(strings.Join(paragraph, " "), helpWidth)...)
		paragraph = nil
		if item != "" {
			out = append(out, hung(item)...)
			item = ""
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		switch {
		case line != "" && line[0] != ' ':
			if item != "" {
				flush()
			}
			paragraph = append(paragraph, line)
		case continues(item, line):
			item += " " + strings.TrimLeft(line, " ")
		case described.MatchString(line):
			flush()
			item = line
		default:
			flush()
			out = append(out, hung(line)...)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// continues reports whether a line stands below the text behind the name of an item.
func continues(item, line string) bool {
	m := described.FindStringSubmatch(item)
	return m != nil && line != "" && len(line)-len(strings.TrimLeft(line, " ")) == text.Width(m[0])
}

// described is the beginning of a line up to the text behind a name, two columns away.
var described = lazyregexp.New(`^ +\S+(?: \S+)*  +`)

// hung folds a line that is too wide below the text in it.
func hung(line string) []string {
	if text.Width(line) <= helpWidth {
		return []string{line}
	}
	head := ""
	if m := described.FindStringSubmatch(line); m != nil {
		head = m[0]
	}
	if head == "" || text.Width(head) > helpWidth/2 {
		head = line[:len(line)-len(strings.TrimLeft(line, " "))]
	}
	at := text.Width(head)
	var out []string
	for _, l := range text.WrapWords(line[len(head):], helpWidth-at) {
		out = append(out, head+l)
		head = strings.Repeat(" ", at)
	}
	return out
}

// examples aligns the comments behind commands. One that does not fit there stands above its
// command.
func examples(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	at := commentColumn(lines)
	return eachLine(strings.Join(lines, "\n"), func(line string) []string {
		command, comment, found := commented(line)
		switch {
		case !found:
			return []string{line}
		case text.Width(command)+2 <= at:
			return []string{text.Pad(command, at) + "# " + comment}
		}
		return append(hung("  # "+comment), command)
	})
}

// commented splits an example into its command and the comment behind it.
func commented(line string) (command, comment string, found bool) {
	command, comment, found = strings.Cut(line, " # ")
	command = strings.TrimRight(command, " ")
	return command, comment, found && command != ""
}

// commentColumn is where the comments of most examples fit.
func commentColumn(lines []string) int {
	best, most := 0, 0
	for _, line := range lines {
		command, _, found := commented(line)
		if !found {
			continue
		}
		at, n := text.Width(command)+2, 0
		for _, other := range lines {
			c, comment, found := commented(other)
			if found && text.Width(c)+2 <= at {
				if at+2+text.Width(comment) > helpWidth {
					n = -1
					break
				}
				n++
			}
		}
		if n > most {
			best, most = at, n
		}
	}
	return best
}
