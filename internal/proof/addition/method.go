package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	// asciiEscape matches what the compiler of Java takes for a character that may end a text or
	// comment, before it looks for these.
	asciiEscape = lazyregexp.New(`\\u+00[0-7]`)
	// javaHead and phpHead match a test up to the brace that opens it.
	javaHead = lazyregexp.New(`^((?:@(?:Test|DisplayName|Timeout|RepeatedTest|ParameterizedTest|ValueSource|CsvSource|NullSource|EmptySource|NullAndEmptySource|EnumSource|MethodSource)(?:\([\w\s=.,"{}+-]*\))?\s+)+)(?:public\s+)?void\s+([a-z]\w*)\s*\([^(){};]*\)\s*(?:throws\s+[\w.,\s]+)?\{`)
	javaTest = lazyregexp.New(`@(?:Parameterized|Repeated)?Test\b`)
	phpHead  = lazyregexp.New(`^((?:#\[(?:\\?PHPUnit\\Framework\\Attributes\\)?(?:Test|TestDox|TestWith|DataProvider|Depends)(?:\((?:"|true|false|null|=>|[\d\s,.\[\]-])*\))?\]\s*\n\s*)*)(?:public\s+)?function\s+([a-z]\w*)\s*\([\w\s$?|\\,="]*\)\s*(?::\s*void\s*)?\{`)
	phpTest  = lazyregexp.New(`#\[(?:[\w\\]+\\)?Test\]`)
	// phpTag matches what PHPUnit or another tool may obey in a comment; harmlessTag that which
	// speaks of its own test alone, and leaves it to run.
	phpTag      = lazyregexp.New(`@[\w-]+`)
	harmlessTag = lazyregexp.New(`^@(?:test|testdox|dataProvider|depends|covers|return|throws|param|var|see|link|since|author|inherit[dD]oc)$`)
	// A member of a class begins with one of these.
	javaMember = lazyregexp.New(`^[@A-Za-z<}]`)
	phpMember  = lazyregexp.New(`^(?:(?:public|protected|private|static|final|abstract|function|const|use|var|readonly)\b|#\[|\})`)
	// A class that inherits from others may inherit what a test of the same name would replace.
	javaClass = lazyregexp.New(`(?:^|[\s)])class\s+\w+$`)
	phpClass  = lazyregexp.New(`(?:^|\s)class\s+\w+\s+extends\s+((?:\\?\w+\\)*\\?(?:Kernel|Web|Api|Mockery)?TestCase)$`)
	// knownTraits matches traits of frameworks, which have no tests.
	knownTraits = lazyregexp.New(`^(?:\s*\\?(?:\w+\\)*(?:RefreshDatabase|DatabaseMigrations|DatabaseTransactions|WithFaker|ProphecyTrait|MockeryPHPUnitIntegration),)*$`)
	phpUnit     = lazyregexp.New(`(?m)^use\s+PHPUnit\\Framework\\TestCase;`)
)

// methodTest reads a test of Java or PHP: its name and where it ends in the code from a place, -1
// for none.
func methodTest(s *source, at int) (name string, end int) {
	code := s.code[at:]
	head, test := javaHead, javaTest
	if s.lang == "php" {
		head, test = phpHead, phpTest
	}
	m := head.FindStringSubmatch(code)
	if m == nil || m[2] == "finalize" || s.hasRemark(strings.LastIndex(s.code[:at], "\n")+1, at+len(m[0])) {
		return "", -1
	}
	marked := test.MatchString(m[1])
	if s.lang == "php" {
		tags := phpTag.FindAllString(s.text[:at], -1)
		if slices.ContainsFunc(tags, func(tag string) bool { return !harmlessTag.MatchString(tag) }) {
			return "", -1
		}
		marked = marked || slices.Contains(tags, "@test")
	}
	if !marked && (s.lang == "java" || !strings.HasPrefix(m[2], "test")) {
		return "", -1
	}
	end = closerAfter(code, len(m[0])-1)
	if end >= 0 && strings.TrimSpace(strings.SplitN(s.text[at+end+1:], "\n", 2)[0]) != "" {
		return "", -1 // the next member's comment
	}
	return m[2], end
}

// betweenMembers reports whether a test of a name may stand at a place before a line: between two
// members of a class of tests.
func (s *source) betweenMembers(at, next int, name string) bool {
	last := strings.TrimRight(s.code[:at], " \t\n")
	if s.doubtful() || last == "" || !strings.ContainsAny(last[len(last)-1:], ";{}") || strings.TrimSpace(s.text[len(last):at]) != "" {
		return false
	}
	if s.lang == "php" {
		return phpMember.MatchString(s.codeOf(next)) && s.inTestCase(at, name)
	}
	if !javaMember.MatchString(s.codeOf(next)) {
		return false
	}
	found := false
	for at = openerBefore(s.code, at); at >= 0; at = openerBefore(s.code, at) {
		if found = s.code[at] == '{' && javaClass.MatchString(s.headBefore(at)); !found {
			return false
		}
	}
	return found
}

// inTestCase reports whether a place of PHP is in a class of tests that inherits no method of a
// test's name.
func (s *source) inTestCase(at int, name string) bool {
	open := openerBefore(s.code, at)
	if open < 0 || s.code[open] != '{' || openerBefore(s.code, open) >= 0 {
		return false
	}
	m := phpClass.FindStringSubmatch(s.headBefore(open))
	if m == nil {
		return false
	}
	traits := s.traitsAfter(open)
	if !knownTraits.MatchString(traits) {
		return false
	}
	if strings.HasPrefix(name, "test") {
		return true
	}
	ofPHPUnit := m[1] == `\PHPUnit\Framework\TestCase` || m[1] == "TestCase" && phpUnit.MatchString(s.code)
	return ofPHPUnit && traits == "" && strings.Contains(name, "_") // PHPUnit's own names have none
}

// traitsAfter are the traits that classes use below a place, as they are written.
func (s *source) traitsAfter(at int) (traits string) {
	for line := range strings.Lines(s.code[at:]) {
		if names, found := strings.CutPrefix(strings.TrimLeft(line, " \t"), "use"); found && names != "" && !wordByte(names[0]) {
			names, _, _ = strings.Cut(s.code[at+strings.Index(line, "use")+len("use"):], ";")
			traits += names + ","
		}
		at += len(line)
	}
	return traits
}

// headBefore is what stands between the end of a statement and a brace.
func (s *source) headBefore(open int) string {
	return strings.TrimSpace(s.code[strings.LastIndexAny(s.code[:open], ";{}")+1 : open])
}

// doubtful reports whether any line may be read in another way.
func (s *source) doubtful() bool {
	for _, l := range s.lines {
		if l.doubt {
			return true
		}
	}
	return s.lang == "php" && !strings.HasPrefix(s.text, "<?php")
}

// hasRemark reports whether code has a comment.
func (s *source) hasRemark(from, to int) bool {
	for i := from; i < to; i++ {
		if s.code[i] == ' ' && s.text[i] != ' ' {
			return true
		}
	}
	return false
}

// javaToken is tokenAt for Java.
func javaToken(text string) (size int, comment, sure bool) {
	switch {
	case strings.HasPrefix(text, "//"):
		size, comment = lineSize(text), true
	case strings.HasPrefix(text, "/*"):
		size, comment = blockSize(text, false), true
	case strings.HasPrefix(text, `"""`):
		size = tripleSize(text)
	case text[0] == '"' || text[0] == '\'':
		if size = quotedSize(text, false); size == 0 {
			return 0, false, false
		}
	}
	return size, comment, text[0] != '\\' && !asciiEscape.MatchString(text[:size])
}
