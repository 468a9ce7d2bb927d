package comparison

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// tables are where a script or program holds inputs with what it expects for them, in rows.
type tables struct {
	// rows: it has rows in brackets, and fails behind a condition in a loop.
	rows bool
	// pairs: a loop of a shell cuts its words in two, and fails for some.
	pairs bool
	// calls are the functions of the script that compare with arguments, and with which.
	calls map[string][]int
	// reads: it fails for some of the rows that a loop reads.
	reads bool
}

var (
	// literalRow matches a row of literals within a table, whose last literal is its group.
	literalRow = lazyregexp.New(`(?:^|[\[({,:>])\s*[\[({]\s*(?:(?:["']?\w+["']?\s*:\s*)?` + inWordsApart + `\s*,\s*)+(?:["']?\w+["']?\s*:\s*)?` + inWords + `\s*,?\s*[\])}]\s*(?:[,\])};]|$)`)
	// literalPair matches a key with a value, which is its group.
	literalPair = lazyregexp.New(inWordsApart + `\s*(?::|=>)\s*` + inWords + `\s*[,}\])]`)
	// loopNames matches a loop over a table, its group the names that it gives the columns;
	// comparesRows a comparison with a column by its place or its name.
	loopNames    = lazyregexp.New(`\bfor\s*\(?\s*(?:const|let|var|auto|my)?\s*[\[(]?\s*([\w]+(?:\s*,\s*\w+)+)\s*[\])]?\s*(?:in|of)\b|\(\s*\[?\s*(\w+\s*,\s*\w+)\s*\]?\s*\)\s*=>`)
	comparesRows = lazyregexp.New(`(?:[=!]==?|[<>]=?|-)\s*\w+(?:\[\w+\])?\[[1-9]\]|[=!]==?\s*(?:\w+(?:\[\w+\])?(?:\.|->))?(?:want|wanted|expected|expect|exp|out)\b|\b(?:want|wanted|expected|expect|exp)\s*[=!]==?|(?i:assert|check|equal|is)\w*!?\([^\n]*\b(?:want|wanted|expected|expect|exp)\b`)
	// cutsWords matches a shell that takes the part of a word that stands behind a sign.
	cutsWords = lazyregexp.New(`\$\{\w+#{1,2}[^}]*\}|\bcut\s+-d|\bIFS=`)
	wordPair  = lazyregexp.New(`([\w.+-]+[:=,|/])([\w.+-]+)(\s|;|"|'|$)`)
	lastWord  = lazyregexp.New(`[\s|,:]` + `([\w.+-]+|"[^"]+"|'[^']+')\s*$`)
	// function matches a function of a shell; its groups are its name and its body.
	function = lazyregexp.New(`(?ms)^[ \t]*(?:function\s+)?(\w+)\s*(?:\(\))?\s*\{(.*?\n?[ \t;]*)\}[ \t]*$`)
	// comparesArgument matches a comparison with an argument of a function of a shell.
	comparesArgument = lazyregexp.New(`"?\$\{?([1-9])\}?"?\s+(?:==?|!=|-eq|-ne)\s+"?\$\{?([1-9])|(?:\s==?|!=|-eq|-ne)\s+"?\$\{?([1-9])|"?\$\{?([1-9])\}?"?\s+(?:==?|!=|-eq|-ne)\s|\b(?:want|expect|exp|should)\w*="?\$\{?([1-9])|\bgrep\s[^\n|]*"\$\{?([1-9])`)
	plainWord        = lazyregexp.New(`^\s*([A-Za-z0-9][\w:.,+-]*|` + inWordsApart + `)\s*$`)
)

// tablesOf are those of a text.
func tablesOf(text string, commands bool) tables {
	t := tables{}
	if !commands {
		t.rows = comparesRows.MatchString(text)
		for _, m := range loopNames.FindAllStringSubmatch(text, -1) {
			names := m[1] + m[2]
			last := names[strings.LastIndexAny(names, ", \t")+1:]
			t.rows = t.rows || regexp.MustCompile(`(?:[=!]==?|[<>]=?|-)\s*(?:`+last+`\b|\w+\(`+last+`\))|\b`+last+`\s*[=!]==?|(?i:assert|check|equal|expect|is)\w*!?\([^\n]*\b`+last+`\b|\.get\(\w+\) == `+last).MatchString(text)
		}
		t.rows = t.rows && (failsHere.MatchString(endsWell.ReplaceAllString(text, "")) || asserts.MatchString(text))
		return t
	}
	t.reads = failsHere.MatchString(text)
	t.pairs = cutsWords.MatchString(text) && failsHere.MatchString(text)
	for _, m := range function.FindAllStringSubmatch(text, -1) {
		if !failsHere.MatchString(m[2]) {
			continue
		}
		for _, c := range comparesArgument.FindAllStringSubmatch(m[2], -1) {
			if t.calls == nil {
				t.calls = map[string][]int{}
			}
			for _, digit := range strings.Join(c[1:], "") {
				t.calls[m[1]] = append(t.calls[m[1]], int(digit-'0'))
			}
		}
	}
	return t
}

// otherwise changes what the rows of a line expect.
func (t tables) otherwise(line string) string {
	switch {
	case t.rows && !startsProgram.MatchString(line):
		if other := replaceEach(literalRow, line); other != line {
			return other
		}
		if len(literalPair.FindAllString(line, 2)) > 1 {
			return replaceEach(literalPair, line)
		}
	case t.calls[firstWord(line)] != nil:
		words := shellWords(strings.TrimLeft(line, " \t"))
		for _, at := range t.calls[firstWord(line)] {
			if at < len(words) {
				words[at] = replaceGroup(plainWord, words[at], 1)
			}
		}
		return line[:len(line)-len(strings.TrimLeft(line, " \t"))] + strings.Join(words, " ")
	case t.pairs && strings.Contains(line, "for ") && len(wordPair.FindAllString(line, 2)) > 1:
		return replaceGroup(wordPair, line, 2)
	}
	return line
}

func firstWord(line string) string {
	word, _, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	return word
}

// replaceEach changes the first group of each match, where the end of one may begin the next.
func replaceEach(of *lazyregexp.Regexp, line string) string {
	var found [][]int
	for from := 0; from < len(line); {
		m := of.FindStringSubmatchIndex(line[from:])
		if m == nil {
			break
		}
		for i := range m {
			m[i] += from
		}
		found = append(found, m)
		from = max(m[3], from+1)
	}
	for _, m := range slices.Backward(found) {
		line = otherAt(line, m, 1)
	}
	return line
}
