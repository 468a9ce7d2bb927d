package canary

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// A task often says what a function gives, or that it fails: "f_to_c(-40) == -40", "f_to_c(-300)
// raises ValueError". Tests of ralph's own ask it, in the run with the canaries: tests of the work
// may leave it out, or ask something else.

// mostExamples bounds the examples of a task.
const mostExamples = 10

// example is what the text of a task says about a function: the value that it gives, or that
// it fails.
type example struct {
	function, arguments, value string
	fails                      bool
}

func (e example) String() string {
	if e.fails {
		return e.function + "(" + e.arguments + ") fails"
	}
	return e.function + "(" + e.arguments + ") == " + e.value
}

// plainScalar matches a number, a text in one line or a name of a value.
const plainScalar = `-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\[nrt"'\\])*"|'(?:[^'\\\n]|\\[nrt"'\\])*'|True|False|None|true|false|null|nil`

var (
	exampleCall = lazyregexp.New("(?:^|[^\\w.'\"])((?:[A-Za-z_]\\w*\\.)?[A-Za-z_]\\w*)\\(")
	says        = lazyregexp.New("^`?\\s*(?:===?|is|returns|gives|becomes|equals|yields|->|=>|→|(?:must|should) (?:be|return|give|equal|become))\\s+`?")
	// fails matches what follows a call that is to fail, and alike what stands between two such calls.
	fails  = lazyregexp.New("^`?,?\\s+(?:and\\s+|(?:all|each|both)\\s+)*((?:must|should)\\s+)?(?:raises?|throws?|fails?|(?:is|are|gives?|returns?|be)\\s+(?:an?\\s+(?:\\w+\\s+)?)?[Ee]rrors?)\\b")
	alike  = lazyregexp.New("^`?(?:,\\s*|,?\\s+)(?:and\\s+|or\\s+)?`?$")
	scalar = lazyregexp.New(`^(?:` + plainScalar + `)`)
	// addsCode matches a task that asks for something new: another one may tell what is now.
	addsCode = lazyregexp.New(`(?i)(?:^|[.:;]\s|\n)\W*(?:please )?(?:add|write|implement|create|build|make|introduce|provide|support)\b|\b(?:should|must|shall|ought to|ha(?:s|ve) to|needs? to)\b`)
	// addsTests matches what asks for tests alone.
	addsTests = lazyregexp.New(`(?i)\b(?:add|write)\s+(?:(?:a|an|some|the|more|unit|regression)\s+)*tests?\b`)
	wanted    = lazyregexp.New(`(?i)^\W{0,20}(?:\w+\W+){0,2}(?:should|must|ought|expected|rather|want)\b`)
	ends      = lazyregexp.New("^(?:`|[.,;:)]?(?:\\s|$))")
	nothing   = lazyregexp.New(`^\s+(?:nothing|no|neither)\b`)
	// sentence matches the end of one. In doubt matches sentences that may tell what is wrong now,
	// doubtfulFailure those of them about a failure.
	sentence        = lazyregexp.New(`[.!?;](?:\s|$)|\n\s*\n`)
	inDoubt         = lazyregexp.New(doubt + `|fail\w*|crash\w*|error|raise[sd]?|throws?)\b`)
	doubtfulFailure = lazyregexp.New(doubt + `|crash\w*)\b`)
)

const doubt = `(?i)\b(?:currently|now|today|wrong\w*|instead|but|actual\w*|bugs?|not|never|no longer|was|were|isn't|doesn't|don't|broken|except|unless|old|before|as if|so that|because|since`

// examplesIn are the examples of a task, whose arguments and values are written out.
func examplesIn(text string) (all []example) {
	asked := addsTests.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	calls := exampleCall.FindAllStringSubmatchIndex(text, -1)
	var next *example // of the call behind one, where it fails
	behind := len(text)
	for _, m := range slices.Backward(calls) {
		_, end := sentenceOf(text, m[2]) // before one that asks for something, a task may tell what is now
		e, found := exampleAt(text, m, addsCode.MatchString(asked[:end]))
		if arguments, ok := literals(text[m[1]:]); ok && !found && next != nil && alike.MatchString(text[m[1]+len(arguments)+1:behind]) {
			e, found = example{text[m[2]:m[3]], arguments, "", true}, true
		}
		if next = nil; found {
			all = append(all, e)
			if e.fails {
				next = &e
			}
		}
		behind = m[2]
	}
	slices.Reverse(all)
	if addsCode.MatchString(asked) {
		all = append(all, pairsIn(text, calls)...)
	}
	return all[:min(len(all), mostExamples)]
}

// exampleAt is what a task says about a call of it. adds: the task asks for something new.
func exampleAt(text string, call []int, adds bool) (e example, found bool) {
	arguments, ok := literals(text[call[1]:])
	if !ok {
		return e, false
	}
	e = example{function: text[call[2]:call[3]], arguments: arguments}
	rest, in := text[call[1]+len(arguments)+1:], sentenceAt(text, call[2])
	if of := fails.FindStringSubmatch(rest); of != nil && (adds || of[1] != "") && !nothing.MatchString(rest[len(of[0]):]) && !doubtfulFailure.MatchString(in) {
		e.fails = true
		return e, true
	}
	of := strings.Join(says.FindStringSubmatch(rest), "")
	if of == "" || !adds && !strings.Contains(of, "=") && !strings.Contains(of, "should") && !strings.Contains(of, "must") || inDoubt.MatchString(in) {
		return e, false
	}
	e.value = valueAt(rest[len(of):])
	return e, e.value != "" && !wanted.MatchString(rest[len(of)+len(e.value):])
}

var (
	oneParameter = lazyregexp.New(`^[A-Za-z_]\w*(?:\s*:\s*\w+|\s+\w+)?\)`)
	valueFor     = lazyregexp.New("(?:^|[\\s:,;(`])(" + plainScalar + ")`?\\s+for\\s+`?(" + plainScalar + ")`?(?:[,.;)]|$|\\s+and\\b)")
	valueAfter   = lazyregexp.New("(?:^|[\\s:,;(`])(" + plainScalar + ")`?\\s*(?:->|→|=>)\\s*`?(" + plainScalar + ")`?(?:[,.;)]|$|\\s+and\\b)")
)

// pairsIn are examples that a task gives as pairs ("'1.50 EUR' for 150", "4 -> 'IV'") of the one
// function that it names, which has one parameter.
func pairsIn(text string, calls [][]int) (all []example) {
	function := ""
	for _, m := range calls {
		name := text[m[2]:m[3]]
		if function != "" && function != name || !oneParameter.MatchString(text[m[1]:]) {
			return nil
		}
		function = name
	}
	if function == "" {
		return nil
	}
	for _, form := range []struct {
		pattern       *lazyregexp.Regexp
		value, before int
	}{{valueFor, 1, 2}, {valueAfter, 2, 1}} {
		for from := 0; from < len(text); {
			m := form.pattern.FindStringSubmatchIndex(text[from:])
			if m == nil {
				break
			}
			part := func(n int) string { return text[from+m[2*n] : from+m[2*n+1]] }
			if !inDoubt.MatchString(sentenceAt(text, from+m[2])) {
				all = append(all, example{function: function, arguments: part(form.before), value: part(form.value)})
			}
			from += max(m[3], m[5]) // what ends a pair may begin the next
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// valueAt is the literal with which a text begins, "" for none.
func valueAt(text string) string {
	value := ""
	if m := scalar.FindStringSubmatch(text); m != nil {
		value = m[0]
	} else if text != "" && strings.ContainsAny(text[:1], "[{(") {
		if inside, ok := literals(text[1:]); ok {
			value = text[:len(inside)+2]
		}
	}
	if value == "" || !ends.MatchString(text[len(value):]) {
		return ""
	}
	return value
}

// sentenceAt is the sentence of a text in which an offset is.
func sentenceAt(text string, at int) string {
	begin, end := sentenceOf(text, at)
	return text[begin:end]
}

func sentenceOf(text string, at int) (begin, end int) {
	end = len(text)
	for _, m := range sentence.FindAllStringIndex(text, -1) {
		if m[1] <= at {
			begin = m[1]
		} else if m[0] > at {
			end = m[0]
			break
		}
	}
	return begin, end
}
