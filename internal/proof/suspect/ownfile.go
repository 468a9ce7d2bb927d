package suspect

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// A script of bash knows its own file by BASH_SOURCE, as it needs to for the files beside it. The
// same word tells which file reads it, and compared with $0 whether one does.

const (
	ownSource   = `"?\$(?:BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?(?::?-\$\{?0\}?)?\})"?`
	itsProgram  = `"?\$(?:0|\{0\})"?`
	runsItself  = `\[\[?[ \t]+` + ownSource + `[ \t]+==?[ \t]+` + itsProgram + `[ \t]+\]\]?`
	readByOther = `\[\[?[ \t]+` + ownSource + `[ \t]+!=[ \t]+` + itsProgram + `[ \t]+\]\]?`
	callsMain   = `_?main(?:[ \t]+"\$@")?`
)

var (
	// guardsMain match the call of a function main where the script is the program.
	guardsMain = []*lazyregexp.Regexp{
		lazyregexp.New(`(?m)\bif[ \t]+` + runsItself + `[ \t]*(?:;[ \t]*|(\n)[ \t]*)then[ \t]*(?:(\n)[ \t]*)?` + callsMain + `[ \t]*(?:;[ \t]*|(\n)[ \t]*)fi[ \t]*$`),
		lazyregexp.New(`(?m)^()()()[ \t]*(?:` + runsItself + `[ \t]*&&|` + readByOther + `[ \t]*\|\|)[ \t]*` + callsMain + `[ \t]*$`),
	}
	// ownPlace matches the file or the function in which the code itself is.
	ownPlace = lazyregexp.New(`\$(?:BASH_SOURCE|FUNCNAME)\b([^\[]|$)|\$\{(?:BASH_SOURCE|FUNCNAME)(?:\[0\])?(?:[%#:/^,@-](?:[^\n{}$\x60]|\$0\b)*)?\}`)
	// comparesPlace matches a line that compares, comparesProgram a comparison with $0.
	comparesPlace   = lazyregexp.New(`[=!]=|=~|\s=\s|\s-ef\s|\bcase\b|\bgrep\b`)
	comparesProgram = lazyregexp.New(`(?:[=!]=|=~|\s=|-ef)\s+` + itsProgram + `|` + itsProgram + `\s+(?:[=!]=|=~|=\s|-ef)|\bcase\s+` + itsProgram)
)

// withoutOwnFile is a script without the words by which it only finds its own file, and without
// guards of a call of main.
func withoutOwnFile(text string) string {
	for _, guard := range guardsMain {
		text = guard.ReplaceAllString(text, "main$1$2$3")
	}
	if comparesProgram.MatchString(text) || !ownPlace.MatchString(text) {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !comparesPlace.MatchString(line) {
			line = ownPlace.ReplaceAllString(line, "own $1")
		}
		out.WriteString(line)
	}
	return out.String()
}
