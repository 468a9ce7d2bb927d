package project

import (
	"context"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// special are the characters with which a shell does more than start programs
// one after another.
const special = "\"'`$(){}\\<>*?[#!"

// Programs are the words of a command line that name programs, as far as they
// can be told without being a shell: where one is needed, only what stands
// before.
func Programs(line string) []string {
	if i := strings.IndexAny(line, special); i >= 0 {
		// The word that is cut there is no whole one.
		line = line[:strings.LastIndexAny(line[:i], " \t\n&|;")+1]
	}
	var all []string
	for _, command := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("&|;\n", r) }) {
		words := strings.Fields(command)
		for len(words) > 0 && strings.Contains(words[0], "=") {
			words = words[1:] // VAR=value before the program
		}
		if len(words) > 0 && !slices.Contains(all, words[0]) {
			all = append(all, words[0])
		}
	}
	return all
}

// Known asks the shell whether a word names a program or one of its own commands. A
// shell that was killed, or could not run, did not report that it is absent.
func Known(ctx context.Context, word, dir string, env []string) bool {
	const wait = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	out, err := proc.Run(ctx, proc.Command{Argv: []string{"sh", "-c", `command -v -- "$1"`, "sh", word}, Dir: dir, Env: env, MaxOutput: 1 << 16})
	return err != nil || out.Signal != "" || out.Code == 0
}

// Absent returns the first program that an agent's command line needs and that is not
// there, or "".
func Absent(ctx context.Context, g loop.Agent, dir string, env []string) string {
	words := g.Argv[:1]
	if g.Shell {
		words = Programs(g.Argv[0])
	}
	for _, word := range words {
		if !Known(ctx, word, dir, env) {
			return word
		}
	}
	return ""
}
