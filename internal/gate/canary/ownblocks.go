package canary

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// blockForm is how tests of RSpec and PHPUnit are written: from a line that begins one to a
// line that closes it at the same indentation, or in one line.
type blockForm struct {
	// begins and whole match the first line and a whole test: their groups are the
	// indentation and the names that a test may have, and of whole what stands before the
	// closing brace.
	begins, whole *lazyregexp.Regexp
	ends          string
	// mark, where it is not "", is the line above a test.
	mark string
	// fails is the last statement of a test that is made to fail.
	fails string
	// uncertain matches what may keep a test from its end and let it pass all the same.
	uncertain *lazyregexp.Regexp
}

var blockForms = map[string]blockForm{
	".rb": {
		begins:    lazyregexp.New(`^([ \t]*)(?:it|specify|example)\b[ (]\s*(?:"([^"\\#]+)"|'([^'\\]+)')\)?(?:,[^{}|]*)? do(?: *\|\w+\|)?\s*$`),
		whole:     lazyregexp.New(`^([ \t]*)(?:it|specify|example)\b[ (]\s*(?:"([^"\\#]+)"|'([^'\\]+)')\)?(?:,[^{}|]*)? \{(.*)\}\s*$`),
		ends:      "end",
		fails:     "expect(1).to eq(2)",
		uncertain: lazyregexp.New(`(?i)\b(?:next|return|break|throw|pending|skip|redo|retry|exit|abort)\b|:skip|<<[-~'"A-Z]|^=begin`),
	},
	".php": {
		begins:    lazyregexp.New(`^([ \t]*)(?:(?:final|public) )*function (test\w*)()\([^()]*\)(?:\s*:\s*\w+)?\s*\{?\s*$`),
		whole:     lazyregexp.New(`^([ \t]*)(?:(?:final|public) )*function (test\w*)()\([^()]*\)(?:\s*:\s*\w+)?\s*\{(.*)\}\s*$`),
		ends:      "}",
		fails:     "$this->assertSame(1, 2);",
		uncertain: lazyregexp.New(`(?i)\b(?:return|yield|exit|die|throw)\b|expect(?:Exception|Error|Warning|Notice|Deprecation|Output)|markTest|setExpected|<<<`),
	},
	".java": {
		begins: lazyregexp.New(`^([ \t]*)(?:(?:@Test|final|public) )*void (\w+)()\(\)(?:\s*throws [\w., ]+)?\s*\{\s*$`),
		whole:  lazyregexp.New(`^([ \t]*)(?:(?:@Test|final|public) )*void (\w+)()\(\)(?:\s*throws [\w., ]+)?\s*\{(.*)\}\s*$`),
		ends:   "}", mark: "@Test",
		fails:     javaAssertions + ".assertEquals(1, 2);",
		uncertain: lazyregexp.New(`\b(?:return|yield|throw|while|for|exit|halt)\b|(?i:assum|rule\b|fail\()|\bexpect\w*\(|"""`),
	},
}

// failingBlocks makes the tests of a file of Ruby, PHP or Java fail at their ends, after they used
// the product. One whose name another has in the file is left alone.
func failingBlocks(ext, text string) (string, []string) {
	form := blockForms[ext]
	lines := strings.Split(text, "\n")
	times := map[string]int{}
	for _, line := range lines {
		times[form.name(line)]++
	}
	var names []string
	for at := 0; at < len(lines); at++ {
		name := form.name(lines[at])
		if name == "" || times[name] > 1 || form.mark != "" && !form.marked(lines, at) {
			continue
		}
		if m := form.whole.FindStringSubmatch(lines[at]); m != nil {
			if !form.uncertain.MatchString(lines[at]) {
				close := strings.LastIndex(lines[at], "}")
				lines[at] = strings.TrimRight(lines[at][:close], " ;") + "; " + form.fails + " }"
				names = append(names, name)
			}
			continue
		}
		indent := form.begins.FindStringSubmatch(lines[at])[1]
		end := at + 1
		for end < len(lines) && strings.TrimRight(lines[end], " \t\r") != indent+form.ends {
			end++
		}
		if end == len(lines) || form.uncertain.MatchString(strings.Join(lines[at:end], "\n")) {
			continue
		}
		lines[end] = indent + "  " + form.fails + "\n" + lines[end]
		names = append(names, name)
		at = end
	}
	return strings.Join(lines, "\n"), names
}

// marked reports whether the mark stands in the line of a test or in that above it, alone.
func (f blockForm) marked(lines []string, at int) bool {
	if strings.HasPrefix(strings.TrimSpace(lines[at]), f.mark+" ") {
		return true
	}
	return at > 0 && strings.TrimSpace(lines[at-1]) == f.mark
}

// name is the name of a test that begins in a line; "" is none.
func (f blockForm) name(line string) string {
	m := f.begins.FindStringSubmatch(line)
	if m == nil {
		m = f.whole.FindStringSubmatch(line)
	}
	if m == nil {
		return ""
	}
	return m[2] + m[3]
}
