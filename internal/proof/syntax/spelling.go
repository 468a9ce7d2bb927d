package syntax

import (
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// One spelling for what a language reads alike, so that patterns need to know no other.

// OddEncoding matches the declaration of an encoding in which code of Python does not
// look like it.
var OddEncoding = lazyregexp.New(`\A(?:[^\n]*\n)?[ \t\f]*#.*?coding[:=][ \t]*(?i:utf[-_]?(?:7|16|32)|[\w-]*unicode|punycode|idna|cp037|cp500|ebcdic)`)

// escapedLetter matches a letter of an identifier in JavaScript that is written by its
// number.
var escapedLetter = lazyregexp.New(`\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]+)\})`)

// PlainSpelling writes the letters that a language takes for those of ASCII as these:
// Python normalises identifiers (NFKC), JavaScript knows letters by number, and C has other
// spellings of # and comments and line ends behind it.
func PlainSpelling(lang, text string) string {
	switch lang {
	case "c":
		return commentBehind.ReplaceAllString(directiveBelow.ReplaceAllString(otherHash.ReplaceAllString(text, "$1#"), "\n$1 "), "$1 ")
	case "python":
		return closedAtExit.ReplaceAllString(withoutAnnotations(strings.Map(plainLetter, text)), "($1")
	case "js":
		text = setsExitCode.ReplaceAllString(text, "process.exitCode, $1")
		return escapedLetter.ReplaceAllStringFunc(text, func(escape string) string {
			n, err := strconv.ParseInt(strings.Trim(escape[2:], "{}"), 16, 32)
			if err != nil || n < ' ' || n > '~' {
				return escape
			}
			return string(rune(n))
		})
	}
	return text
}

var (
	// otherHash matches what the preprocessor of C reads as # at the beginning of a line;
	// directiveBelow a directive whose words begin on the next line, and commentBehind comments
	// behind the #.
	otherHash      = lazyregexp.New(`(?m)^([ \t]*)(?:%:|\?\?=)`)
	directiveBelow = lazyregexp.New(`(?m)^([ \t]*#[ \t]*\w*)[ \t]*\\\n[ \t]*`)
	commentBehind  = lazyregexp.New(`(?m)^([ \t]*#)(?:[ \t]*/\*[^\n]*?\*/)+[ \t]*`)

	// closedAtExit matches what only gives back at the end of the process what it holds.
	closedAtExit = lazyregexp.New(`\batexit\.register\(\s*([A-Za-z_][\w.]*\.(?:close|shutdown|stop|cleanup|disconnect|flush|release)\s*[,)])`)
	// setsExitCode matches an assignment that is a way to end, whatever process was imported from.
	setsExitCode = lazyregexp.New(`\bprocess\.exitCode\s*=\s*([^=])`)
)

var (
	// annotated matches a name with a type that is only a name, before its value.
	annotated = lazyregexp.New(`(^[ \t]*|[(,][ \t]*\*{0,2})([A-Za-z_][\w.]*)[ \t]*:[ \t]*(?:\[?[\w.]+\]?(?:\[[\w., |\[\]"']*\])?[ \t|]*)+(=[^=])`)
	// controls matches the beginning of a line in which a colon begins a block.
	controls = lazyregexp.New(`^\s*(?:(?:async\s+)?(?:with|for)|if|elif|else|while|try|except|finally|match|case|class|lambda)\b`)
)

// withoutAnnotations is a source of Python without the types of its names that have a value:
// in "day: dt.date = None" nothing of dt is changed.
func withoutAnnotations(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, ":") && strings.Contains(line, "=") && !controls.MatchString(line) {
			line = annotated.ReplaceAllString(line, "$1$2 $3")
		}
		out.WriteString(line)
	}
	return out.String()
}

// plainLetter is the letter or digit of ASCII that a letter of full width, or a
// mathematical one, normalises to.
func plainLetter(r rune) rune {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	switch {
	case r >= '\uff01' && r <= '\uff5e':
		return r - 0xfee0
	case r >= 0x1d400 && r < 0x1d6a4:
		return rune(letters[(r-0x1d400)%52])
	case r >= 0x1d7ce && r <= 0x1d7ff:
		return '0' + (r-0x1d7ce)%10
	}
	return r
}
