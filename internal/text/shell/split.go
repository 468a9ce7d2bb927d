// Package shell reads shell command lines as far as possible without running them.
package shell

import (
	"path"
	"slices"
	"strings"
)

// Command is one simple command of a command line: its words, never empty, and the
// folder in which a "cd" before it left the shell, relative to the start.
type Command struct {
	Words []string
	Dir   string
	// Ends are where the words end in the line.
	Ends []int
	// Piped: the next command reads its output.
	Piped bool
}

// Split returns the simple commands of a command line, their words without quotes.
// Assignments and launchers (env, npx, timeout) before a command are left out.
// Substitutions stay literal.
func Split(line string) []Command {
	var out []Command
	var words []string
	var ends []int
	dir := ""
	end := func() {
		if len(words) > 1 && words[0] == "cd" && !strings.HasPrefix(words[1], "/") {
			dir = path.Join(dir, words[1])
		}
		if w := program(words); len(w) > 0 {
			out = append(out, Command{Words: w, Dir: dir, Ends: ends[len(ends)-len(w):]})
		}
		words, ends = nil, nil
	}
	for _, t := range tokens(line) {
		if t.operator {
			end()
			if isPipe(line, t.end) && len(out) > 0 {
				out[len(out)-1].Piped = true
			}
			continue
		}
		words, ends = append(words, t.text), append(ends, t.end)
	}
	end()
	return out
}

// isPipe: the operator is "|" or "|&", and no part of "||".
func isPipe(line string, at int) bool {
	return line[at] == '|' && !strings.HasPrefix(line[at+1:], "|") && !strings.HasSuffix(line[:at], "|")
}

type token struct {
	text     string
	operator bool
	end      int // in the line
}

// tokens splits at blanks and operators outside of quotes.
func tokens(line string) []token {
	var out []token
	var word strings.Builder
	open, quote := false, byte(0)
	flush := func(end int) {
		if open {
			out = append(out, token{text: word.String(), end: end})
		}
		word.Reset()
		open = false
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(line):
			i++
			if line[i] != '\n' {
				word.WriteByte(line[i])
				open = true
			}
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t':
			flush(i)
		case c == '&' && i > 0 && (line[i-1] == '>' || line[i-1] == '<'): // "2>&1" is a part of the command
			word.WriteByte(c)
		case strings.IndexByte(";|&()\n", c) >= 0:
			flush(i)
			out = append(out, token{operator: true, end: i})
		default:
			word.WriteByte(c)
			open = true
		}
	}
	flush(len(line))
	return out
}

// isAssignment reports whether a word sets a variable.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
}

// launchers are commands that run the command that follows them.
func launchers() [][]string {
	return [][]string{
		{"env"},
		{"exec"},
		{"time"},
		{"command"},
		{"nice"},
		{"nohup"},
		{"!"},
		{"xvfb-run"},
		{"npx"},
		{"bunx"},
		{"pnpm", "exec"},
		{"pnpm", "dlx"},
		{"yarn", "exec"},
		{"yarn", "dlx"},
		{"npm", "exec"},
		{"poetry", "run"},
		{"uv", "run"},
		{"pipenv", "run"},
		{"pdm", "run"},
		{"hatch", "run"},
		{"rye", "run"},
		{"bundle", "exec"},
		{"mise", "exec"},
		{"if"},
		{"then"},
		{"do"},
		{"else"},
		{"{"},
	}
}

// program drops assignments and launchers before a command.
func program(words []string) []string {
	for len(words) > 0 {
		n := leading(words)
		if n == 0 {
			return words
		}
		words = words[n:]
	}
	return nil
}

func leading(words []string) int {
	if isAssignment(words[0]) {
		return 1
	}
	if words[0] == "timeout" {
		return options(words, 1) + 1
	}
	for _, l := range launchers() {
		if len(words) > len(l) && slices.Equal(words[:len(l)], l) {
			return options(words, len(l))
		}
	}
	return 0
}

// options returns the index after the options that begin at i.
func options(words []string, i int) int {
	for i < len(words)-1 && strings.HasPrefix(words[i], "-") {
		i++
	}
	return min(i, len(words)-1)
}
