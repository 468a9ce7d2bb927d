package evidence

import (
	"cmp"
	"slices"
	"strings"

	"ralph/internal/gate/text"
	"ralph/internal/lazyregexp"
)

// rule replaces the matches of one pattern. keep, if set, sees the text before a
// match and the match, and reports whether it is a value.
type rule struct {
	pattern *lazyregexp.Regexp
	with    string
	keep    func(before, match string) bool
}

// rules run in this order: larger things first, so that a part of them is not
// taken for something smaller. Plain numbers are never touched: they are what
// tests compare.
var rules = []rule{
	{pattern: lazyregexp.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), with: "<uuid>"},
	{pattern: lazyregexp.New(`(?i)(\blocalhost|\b\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]*\]|(?:^|\s)::):\d{4,5}\b`), with: "$1:PORT"},
	// times of day with a date, in the orders of RFC 3339, Go's log, and date(1)
	{pattern: lazyregexp.New(`\b\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+|,\d{3,})?( ?(Z|UTC|GMT|[+-]\d\d:?\d\d\b))?`), with: "<time>"},
	{pattern: lazyregexp.New(`\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [A-Za-z0-9]{1,3} +[A-Za-z0-9]{1,3}( \d{4})? \d\d:\d\d:\d\d( [A-Z]{3,4}| [+-]\d{4})*( \d{4})?`), with: "<time>"},
	{pattern: lazyregexp.New(`\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d\b`), with: "<time>"},
	{pattern: lazyregexp.New(`\b\d\d:\d\d:\d\d(\.\d+|,\d{3,})?\b`), with: "<time>"},
	// a path may hold what a rule above put in
	{pattern: lazyregexp.New(`(?i)(/private)?(/tmp|/var/tmp|/dev/shm|/var/folders/\w+/\w+/\w)(/(?:<\w+>|[^\s"'` + "`" + `:,;()<>=|\[\]])*)?|\b[A-Z]:\\[^\s"':,;()<>]*?\\Temp(\\(?:<\w+>|[^\s"':,;()<>=|\[\]])*)?`), with: "<tmp>"},
	{pattern: lazyregexp.New(`(?i)\b(pid|ppid|tid|seed)([ =:#]*[(\[]?|'s )\d+\b[)\]]?`), with: "$1 N"},
	{pattern: lazyregexp.New(`(?i)\b(process|goroutine|thread) (id )?\d+\b`), with: "$1 N"},
	{pattern: lazyregexp.New(`(thread '[^']*') \(\d+\)|\((node):\d+\)|^(==)\d+==`), with: "$1$2$3 N"},
	{pattern: lazyregexp.New(`(^|[\s(\[|,;=:"-])([A-Za-z][\w.-]*)\[\d{2,}\]: `), with: "$1$2[N]: "},
	{pattern: lazyregexp.New(`(?i)\bport([ =:]+)\d{4,5}\b`), with: "port PORT"},
	{pattern: lazyregexp.New(`(?i)\b0x[0-9a-f]{6,}\b`), with: "<addr>"},
	{pattern: lazyregexp.New(`(?i)\b[0-9a-f]{6,}\b`), with: "<hex>", keep: plainWordOrValue},
	{pattern: lazyregexp.New(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(ns|µs|μs|us|ms|s)\b|\b\d+h(\d+m)?\b|\b\d+m\b|\b\d+(\.\d+)? (seconds?|secs?|minutes?|ms|s)\b`), with: "<dur>", keep: valueDuration},
	{pattern: lazyregexp.New(`([\w$>/\\-]\.[A-Za-z]\w{0,9}|\bMakefile)(:\d+(:\d+)?\b|\(\d+(,\d+)?\))`), with: "$1:L"},
	{pattern: lazyregexp.New(`(?i)\b(lines?|col|column) \d+(-\d+)?\b`), with: "$1 L"},
	{pattern: lazyregexp.New(`^\s*>?\s*\d+ ?\|`), with: "L |"},
	// last: a seed or the number of a thread can look like one
	{pattern: lazyregexp.New(`\b1[6-9]\d{8}(\d{3}|\.\d+)?\b`), with: "<time>"},
	{pattern: lazyregexp.New(`\s+`), with: " "},
}

// normalise removes from a line what changes from run to run by itself, and keeps
// identifiers, messages, expected and received values, and exit codes.
func (f Facts) normalise(line string) string {
	s := text.Plain([]byte(line))
	for _, n := range f.names() {
		s = strings.ReplaceAll(s, n[0], n[1])
	}
	for _, r := range rules {
		s = r.apply(s)
	}
	return strings.TrimSpace(s)
}

// names are the folders that differ from run to run, and what stands for each: longer ones first,
// since one may lie in another.
func (f Facts) names() (out [][2]string) {
	for of, names := range map[string][]string{"$ROOT": f.Roots, "/tmp": f.Temp} {
		for _, n := range names {
			if len(n) > 1 {
				out = append(out, [2]string{n, of})
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]string) int { return cmp.Or(len(b[0])-len(a[0]), strings.Compare(a[0], b[0])) })
	return out
}

func (r rule) apply(s string) string {
	if r.keep == nil {
		return r.pattern.ReplaceAllString(s, r.with)
	}
	var b strings.Builder
	last := 0
	for _, m := range r.pattern.FindAllStringIndex(s, -1) {
		b.WriteString(s[last:m[0]])
		last = m[1]
		if match := s[m[0]:m[1]]; r.keep(s[:m[0]], match) {
			b.WriteString(match)
			continue
		}
		b.WriteString(r.with)
	}
	return b.String() + s[last:]
}

// valueWord ends what stands before an expected or received value.
var valueWord = lazyregexp.New(`(?i)\b(expected|want|wanted|got|received|actual|be|equal|equals|left|right)\b[\s:=<"'` + "`" + `(]*$`)

func isValue(before string) bool {
	return valueWord.MatchString(before[max(0, len(before)-24):])
}

// plainWordOrValue keeps words ("decade"), numbers, and the hashes that a test
// compares.
func plainWordOrValue(before, match string) bool {
	digits := strings.ContainsAny(match, "0123456789")
	letters := strings.ContainsAny(match, "abcdefABCDEF")
	return !digits || !letters || isValue(before)
}

// valueDuration keeps a whole number of some unit that is compared ("want
// 5s"); one with a fraction was measured.
func valueDuration(before, match string) bool {
	return !strings.Contains(match, ".") && isValue(before)
}
