package addition

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// What stands at the end of a file, or of the class or suite that is its last, may still change
// what the tests above it do: it takes the place of one, or of a helper of theirs, or runs before
// each. The tests of the base judge this work without it; later work they would judge with it.

var (
	pythonDeclares = lazyregexp.New(`^(?:(?:async\s+)?def|class)\s+(\w+)`)
	pythonBinds    = lazyregexp.New(`^(\w+)\s*(?::[^=]+)?=(?:[^=]|$)`)
	// pythonHook matches names that unittest and pytest call beside tests, or look at.
	pythonHook   = lazyregexp.New(`^(?:(?:async)?(?:setUp|tearDown)(?:Class|Module)?|(?:setup|teardown)(?:_(?:method|class|module|function))?|load_tests|pytest_\w+|pytestmark|__\w+__)$`)
	scriptBinds  = lazyregexp.New(`^(?:(?:async\s+)?function\s*\*?\s*|class\s+|var\s+)?([A-Za-z_$][\w$]*)\s*(?:\(|=[^=>]|extends\b|\{)`)
	scriptHook   = lazyregexp.New(`^(?:[\w$]+\s*\.\s*)?(?:before|after)(?:Each|All)?\s*\(|^(?:setup|teardown|suite(?:Setup|Teardown))\s*\(|^(?:jest|vi|mock)\s*\.`)
	memberHook   = lazyregexp.New(`(?i)(?:@|#\[\\?(?:\w+\\)*)(?:Before|After|Rule|ClassRule|RegisterExtension|ExtendWith|RunWith|Override)\w*|^use\s|\bfunction\s+(?:(?:setUp|tearDown)\w*|assert\w*|run\w*|__\w+)\s*\(`)
	initialiser  = lazyregexp.New(`^(?:static\s*)?\{`)
	rubyHook     = lazyregexp.New(`^(?:(?:prepend_|append_)?(?:before|after|around)|let!?|subject!?|include|extend|prepend|alias(?:_method)?|define_method|RSpec\.configure|using)\b`)
	rubyDeclares = lazyregexp.New(`^(?:def|class|module)\s+(?:self\.)?([\w:]+)`)
	pythonMember = lazyregexp.New(`^([ \t]+)(?:async\s+)?def\s`)
	// pythonBlock matches the beginning of a block that runs as the file is loaded.
	pythonBlock = lazyregexp.New(`^(?:if|for|while|with|try)\b`)
)

// steers reports whether lines at the end change what the tests of the base do.
func (a *addition) steers(tail []string) bool {
	switch a.lang {
	case "python":
		return a.steersPython(tail)
	case "ruby":
		return slices.ContainsFunc(tail, func(line string) bool {
			m := rubyDeclares.FindStringSubmatch(line)
			return rubyHook.MatchString(line) || m != nil && a.words()[m[1]]
		})
	case "shell":
		return a.replacesStatus(tail)
	case "js", "java", "php":
	default: // a name stands once in a package of Go and in a module of Rust
		return false
	}
	s := read(a.lang, tail)
	before, least := "", 0 // the ends of what the last test stands in come first
	for n := range s.lines {
		line := s.codeOf(n)
		least = min(least, s.lines[n].depth)
		if s.lines[n].inside || s.lines[n].depth > least {
			continue
		}
		if a.steersHere(line, before) || members(a.lang) && memberHook.MatchString(strings.TrimLeft(s.remarkOf(n), " \t*/")) {
			return true
		}
		if line != "" {
			before = line
		}
	}
	return false
}

var (
	// endsOnFailure matches a line of a shell after which the first failure ends the script, and
	// the head of a test of bats.
	endsOnFailure = lazyregexp.New(`^\s*set\s+-[A-Za-z]*e|^\s*set\s.*-o\s+errexit\b|^#!.*sh\s+-[A-Za-z]*e|^\s*@test\s`)
	// endsItself matches a last line of a shell that tells its failure by itself.
	endsItself = lazyregexp.New(`\|\|.*\b(?:exit|return|die|fail\w*|abort)\b|^\s*(?:exit|exec)\b`)
)

// replacesStatus reports whether lines at the end of a script of a shell may take the place of its
// status: that of its last command, where failures before do not end it.
func (a *addition) replacesStatus(tail []string) bool {
	isCode := func(line string) bool {
		line = strings.TrimSpace(line)
		return line != "" && !strings.HasPrefix(line, "#")
	}
	last := ""
	for _, line := range a.base {
		if isCode(line) {
			last = line
		}
	}
	if last == "" || !slices.ContainsFunc(tail, isCode) || slices.ContainsFunc(a.base, endsOnFailure.MatchString) || endsItself.MatchString(last) {
		return false
	}
	fails, calls := regexp.MustCompile(`\bexit\s+(?:[1-9]|"?\$)`), regexp.MustCompile(`^\s*(?:function\s+)?`+regexp.QuoteMeta(syntax.Before(strings.TrimSpace(last), " "))+`\s*\(\)`)
	return !slices.ContainsFunc(a.base, calls.MatchString) || !slices.ContainsFunc(a.base, fails.MatchString)
}

// steersHere reports whether a line of a language with braces does, behind another.
func (a *addition) steersHere(line, before string) bool {
	if members(a.lang) {
		ends := before == "" || strings.HasSuffix(before, "}") || strings.HasSuffix(before, ";")
		return memberHook.MatchString(line) || initialiser.MatchString(line) && (ends || line[0] != '{')
	}
	m := scriptBinds.FindStringSubmatch(line)
	return scriptHook.MatchString(line) || m != nil && a.bindsAnew(line, m[1])
}

// bindsAnew reports whether a statement of JavaScript gives a name of the base something else.
func (a *addition) bindsAnew(line, name string) bool {
	calls := strings.HasPrefix(line, name) && strings.HasPrefix(strings.TrimSpace(line[len(name):]), "(")
	return !calls && a.words()[name]
}

// steersPython looks at the members of the last class of the base, and at the statements of the module.
func (a *addition) steersPython(tail []string) bool {
	member := ""
	for _, line := range slices.Backward(a.base) {
		if m := pythonMember.FindStringSubmatch(line); m != nil && member == "" {
			member = m[1]
		}
	}
	s, ofOld := read(a.lang, tail), true
	for n := range s.lines {
		line, indent := s.codeOf(n), s.indentOf(n)
		if !s.begins(n) || line == "" {
			continue
		}
		ofOld = ofOld && indent > 0
		if indent > 0 && (!ofOld || indent > len(member)) {
			continue
		}
		declared, bound := pythonDeclares.FindStringSubmatch(line), pythonBinds.FindStringSubmatch(line)
		switch {
		case declared != nil:
			if pythonHook.MatchString(declared[1]) || a.words()[declared[1]] {
				return true
			}
		case bound != nil:
			if ofOld || pythonHook.MatchString(bound[1]) || a.words()[bound[1]] {
				return true
			}
		case strings.HasPrefix(line, "@"):
			if strings.Contains(line, "autouse") {
				return true
			}
		case closingLine.MatchString(line), line[0] == '"': // a text, as a document
		case importLine.MatchString(line):
			if !a.importsOnly(line, 0) {
				return true
			}
		case ofOld, pythonBlock.MatchString(line), a.namesOld(line):
			return true
		}
	}
	return false
}

// namesOld reports whether a line of Python names a class or function of the base.
func (a *addition) namesOld(line string) bool {
	words := wordsOf([]string{line})
	return slices.ContainsFunc(a.base, func(old string) bool {
		m := pythonDeclares.FindStringSubmatch(strings.TrimSpace(old))
		return m != nil && words[m[1]]
	})
}
