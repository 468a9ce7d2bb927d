package config

import (
	"path"
	"slices"
	"strings"
)

// mostFolders bounds the folders of one command line that are looked at.
const mostFolders = 16

// here are spellings of the folder in which a command line starts; unquoted takes away what
// a shell takes from a word, as in ./a"gen"t.sh.
var (
	here     = strings.NewReplacer("${PWD}", ".", "$PWD", ".", "$(pwd)", ".", "`pwd`", ".")
	unquoted = strings.NewReplacer("'", "", `"`, "", `\`, "")
)

// shellWords splits texts where a shell or a program's option could, and adds the files
// that the words may mean: in a folder that they change to, or found by an interpreter.
// Too many are no harm, since only those that exist count.
func shellWords(texts ...string) []string {
	var out, tokens []string
	for _, t := range texts {
		out = append(out, t)
		placed := here.Replace(t)
		parts := splitWords(placed)
		out, tokens = append(out, parts...), append(tokens, parts...)
		for _, other := range []string{t, unquoted.Replace(placed)} {
			if other != placed {
				out = append(out, splitWords(other)...)
			}
		}
	}
	found := interpreted(tokens)
	out = append(out, found...)
	return append(out, elsewhere(tokens, found)...)
}

func splitWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`=;|&<>(){}$:,@", r) })
}

// elsewhere returns the words, and the files found by an interpreter, in each folder that
// the words change to, as in "cd tools && sh agent.sh".
func elsewhere(tokens, found []string) []string {
	var folders, out []string
	at := "."
	for i, t := range tokens {
		if t == "cd" || t == "pushd" {
			rest := tokens[i+1:]
			for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
				rest = rest[1:]
			}
			if len(rest) == 0 || len(folders) >= mostFolders {
				continue
			}
			at = within(at, rest[0])
			for _, folder := range []string{rest[0], at} {
				if !slices.Contains(folders, folder) {
					folders = append(folders, folder)
				}
			}
		}
	}
	for _, folder := range folders {
		for _, word := range slices.Concat(tokens, found) {
			if !path.IsAbs(word) {
				out = append(out, path.Join(folder, word))
			}
		}
	}
	return out
}

// within returns the folder that cd leads to.
func within(at, folder string) string {
	if path.IsAbs(folder) {
		return folder
	}
	return path.Join(at, folder)
}

// interpreted returns the files that Python and Node.js start for a module or a folder:
// python3 -m pkg, python3 tools, node .
func interpreted(tokens []string) []string {
	starts := func(program string) bool {
		return slices.ContainsFunc(tokens, func(t string) bool { return strings.HasPrefix(path.Base(t), program) })
	}
	var out []string
	if starts("python") || starts("pypy") {
		for i, t := range tokens {
			out = append(out, path.Join(t, "__main__.py"))
			module, glued := strings.CutPrefix(t, "-m")
			if glued && module == "" && i+1 < len(tokens) {
				module = tokens[i+1]
			}
			if glued {
				out = append(out, modules(module)...)
			}
		}
	}
	if starts("node") {
		for _, t := range tokens {
			out = append(out, t+".js", path.Join(t, "index.js"), path.Join(t, "package.json"))
		}
	}
	return out
}

// modules returns the files that Python runs for the name of a module: those of the packages
// around it, and its own.
func modules(name string) []string {
	var out []string
	parts := strings.Split(name, ".")
	for i := range parts {
		out = append(out, path.Join(append(slices.Clone(parts[:i+1]), "__init__.py")...))
	}
	at := path.Join(parts...)
	return append(out, at+".py", path.Join(at, "__main__.py"))
}
