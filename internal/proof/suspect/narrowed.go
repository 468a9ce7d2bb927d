package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// Tests compare values of the product by a comparison that the product itself defines. Work
// that lets an old type look at less finds different values equal.

// narrowsEquality is what lines do that take something out of the comparison of an old type.
const narrowsEquality = "makes the comparison of an existing type ignore something that it compared before"

// narrowed are the lines of a changed source after which a type that the file had on the base
// compares less of its values than before.
func (h helpers) narrowed(c changed) ([]Finding, error) {
	find := map[string]func(before, after string) []int{"python": narrowedPython, "go": narrowedGo, "rust": narrowedRust, "js": narrowedScript}[c.lang]
	if find == nil {
		return nil, nil
	}
	lines := find(syntax.WithoutComments(c.lang, c.was), syntax.WithoutComments(c.lang, c.text))
	if c.lang == "js" && len(lines) > 0 {
		if compared, err := h.comparesObjects(); err != nil || !compared {
			return nil, err
		}
	}
	var out []Finding
	for _, line := range lines {
		out = append(out, Finding{Path: c.Path, Line: line, What: narrowsEquality})
	}
	return out, nil
}

// comparison is what a type of a source compares.
type comparison struct {
	line int
	// body is the code that compares; "" where the language makes it, of all fields.
	body   string
	fields []string
}

// narrowedBy are the lines of comparisons that look at less than those of the same types did.
func narrowedBy(before, after map[string]comparison) (lines []int) {
	for name, now := range after {
		was, had := before[name]
		if had && now.body != "" && now.body != was.body && !comparesAll(now.body, was) {
			lines = append(lines, now.line)
		}
	}
	slices.Sort(lines)
	return lines
}

var (
	// looseComparison matches an order, an arithmetic or a rounding of what is compared.
	looseComparison = lazyregexp.New(`[<>/%]|\babs\b|\bround\b|\bisclose\b|\bAbs\b|\bor\b|\|\|`)
	// otherForm matches what a comparison makes of the values first.
	otherForm = lazyregexp.New(`\.(?:map|filter|keys|take|lower|upper|casefold|l?r?strip|replace\w*|split\w*|trim\w*|to_\w+case|to(?:Lower|Upper)\w*)\(|\b(?:len|set|sorted|letters|normali[sz]e\w*)\(|\b(?:EqualFold|ToLower|ToUpper|Trim\w*|Fields|Replace\w*)\(|eq_ignore_ascii_case`)
	// wholeComparison matches a comparison of all that two values hold.
	wholeComparison = lazyregexp.New(`\b(?:astuple|asdict|vars|__dict__|DeepEqual|super)\b|\b(?:self|[a-z])\s*==\s*\*?[a-z_]\w*\b\s*(?:[^.\w]|$)`)
	// otherField matches a field of a value, its group the name.
	otherField = lazyregexp.New(`\b\w+\.(\w+)\b`)
)

// comparesAll reports whether code compares what another one did: each field, as it is.
func comparesAll(body string, was comparison) bool {
	body, was.body = guards.ReplaceAllString(body, ""), guards.ReplaceAllString(was.body, "")
	if looseComparison.MatchString(comparing(body)) && !looseComparison.MatchString(comparing(was.body)) {
		return false
	}
	if otherForm.MatchString(comparing(body)) && !otherForm.MatchString(comparing(was.body)) {
		return false
	}
	if wholeComparison.MatchString(body) {
		return true
	}
	looks := fieldsIn(body)
	needs := was.fields
	if was.body != "" && !wholeComparison.MatchString(was.body) {
		needs = fieldsIn(was.body)
	}
	return !slices.ContainsFunc(needs, func(f string) bool { return !slices.Contains(looks, f) })
}

// comparing are the lines of code that look at fields: others ask what is compared at all
// ("if other is None or not isinstance(other, Money)").
func comparing(body string) string {
	var out strings.Builder
	for line := range strings.Lines(body) {
		if otherField.MatchString(line) || !strings.Contains(line, "if ") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// guards match questions about the other value that tell nothing of its fields.
var guards = lazyregexp.New(`\bisinstance\([^)\n]*\)|\btype\([^)\n]*\)|\b\w+\s*(?:[!=]=|is(?:\s+not)?)\s*(?:nil|None)\b`)

func fieldsIn(body string) (fields []string) {
	for _, m := range otherField.FindAllStringSubmatch(body, -1) {
		fields = append(fields, m[1])
	}
	return fields
}

var (
	// pythonClass matches a class; its groups are its decorators, name, bases and body.
	pythonClass = lazyregexp.New(`(?m)^((?:@[^\n]*\n)*)class (\w+)([^\n]*)\n((?:[ \t]+[^\n]*\n?|\n)*)`)
	// comparesFields matches what gives a class a comparison of all fields.
	comparesFields = lazyregexp.New(`@(?:\w+\.)?(?:dataclass|define|frozen|mutable|s|attrs)\b|\bNamedTuple\b|\bBaseModel\b|\bStruct\b`)
	// pythonField matches a field with a type, its group the name.
	pythonField = lazyregexp.New(`(?m)^[ \t]+(\w+)\s*:\s*[^\n]*$`)
	// onlyReturns matches a method that only returns fields as they are: its name and these.
	onlyReturns = lazyregexp.New(`(?m)^[ \t]+def (\w+)\(self\)[^:\n]*:\n[ \t]+return[ \t]+(\((?:self\.\w+,?[ ]*)+\)|(?:self\.\w+,?[ ]*)+)$`)
	// notCompared matches a field that is left out of the comparison, its group the name.
	notCompared = lazyregexp.New(`(?m)^[ \t]+(\w+)\s*(?::[^\n=]*)?=[^\n]*\b(?:compare|eq)\s*=\s*False\b`)
)

// narrowedPython: an old field is no longer compared, or a class has a comparison of its own
// that looks at less.
func narrowedPython(before, after string) (lines []int) {
	lines = narrowedBy(comparisonsPython(before), comparisonsPython(after))
	for _, at := range notCompared.FindAllStringSubmatchIndex(after, -1) {
		name := regexp.QuoteMeta(after[at[2]:at[3]])
		had := regexp.MustCompile(`(?m)^[ \t]+` + name + `\s*:[^\n]*$`).FindString(before)
		if had != "" && !notCompared.MatchString(had) {
			lines = append(lines, lineOf(after, at[0]))
		}
	}
	return lines
}

// comparisonsPython are the classes of a source that compare their values.
func comparisonsPython(text string) map[string]comparison {
	out := map[string]comparison{}
	for _, at := range pythonClass.FindAllStringSubmatchIndex(text, -1) {
		part := func(n int) string { return text[at[2*n]:at[2*n+1]] }
		var c comparison
		if own := equality.FindStringSubmatchIndex(part(4)); own != nil {
			c.line = lineOf(text, at[8]+own[0])
			c.body = pythonBody(part(4)[own[2]:own[3]], part(4)[own[6]:own[7]])
			for _, m := range onlyReturns.FindAllStringSubmatch(part(4), -1) { // a key, which it compares
				if slices.Contains(fieldsIn(c.body), m[1]) {
					c.body += m[2] + "\n"
				}
			}
		} else if !comparesFields.MatchString(part(1) + part(3)) {
			continue
		}
		head, _, _ := strings.Cut(part(4), "def ")
		for _, m := range pythonField.FindAllStringSubmatch(head, -1) {
			c.fields = append(c.fields, m[1])
		}
		out[part(2)] = c
	}
	return out
}

// pythonBody is the beginning of lines that is indented deeper than their function.
func pythonBody(indent, lines string) string {
	var body strings.Builder
	for line := range strings.Lines(lines) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, indent+" ") && !strings.HasPrefix(line, indent+"\t") {
			break
		}
		body.WriteString(line)
	}
	return body.String()
}

var (
	// equalGo matches a method that compares two values of a type, equalRust the like in Rust; their groups are
	// the type and the body.
	equalGo = lazyregexp.New(`(?m)^func \(\w+ \*?(\w+)\) Equals?\(\w+ \*?\w+\) bool \{((?:[^\n]*\}$|[^\n]*\n(?:[ \t][^\n]*\n|\n)*))`)
	// derives matches a struct that is compared by all fields, its groups the name and the fields; fieldRust one of these.
	derives   = lazyregexp.New(`#\[derive\([^)\]]*\bPartialEq\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?struct (\w+)[^{;]*(?:\{([^}]*)\}|;|\()`)
	equalRust = lazyregexp.New(`\bimpl(?:<[^>{]*>)? PartialEq(?:<[^>{]*>)? for (\w+)[^{]*\{\s*(?:#\[[^\]]*\]\s*)*fn eq\([^)]*\)\s*->\s*bool\s*\{([^}]*)\}`)
	fieldRust = lazyregexp.New(`(?m)(\w+)\s*:\s*[^,\n]+,?`)
	// hidesField matches what hides a field of a class of JavaScript, its groups the name in each form.
	hidesField = lazyregexp.New(`(?m)^[ \t]+(?:(?:declare|readonly)\s+)*#(\w+)\b|\bdefinePropert(?:y|ies)\(\s*this\s*,\s*['"](\w+)['"]`)
)

// narrowedGo: a method Equal looks at less.
func narrowedGo(before, after string) []int {
	find := func(text string) map[string]comparison {
		out := map[string]comparison{}
		for _, at := range equalGo.FindAllStringSubmatchIndex(text, -1) {
			c := comparison{line: lineOf(text, at[0]), body: text[at[4]:at[5]]}
			out[text[at[2]:at[3]]] = c
		}
		return out
	}
	was := find(before)
	for name, c := range was {
		c.fields = structFields(before, name)
		was[name] = c
	}
	return narrowedBy(was, find(after))
}

// structFields are the fields of a type of Go that a source declares.
func structFields(text, name string) (fields []string) {
	m := regexp.MustCompile(`(?m)^type ` + name + ` struct \{\n((?:[ \t][^\n]*\n|\n)*)\}`).FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	for line := range strings.Lines(m[1]) {
		if words := strings.Fields(line); len(words) > 1 {
			fields = append(fields, strings.TrimSuffix(words[0], ","))
		}
	}
	return fields
}

// narrowedRust: a type with a derived comparison gets one of its own that looks at less.
func narrowedRust(before, after string) []int {
	was, now := map[string]comparison{}, map[string]comparison{}
	for _, m := range derives.FindAllStringSubmatch(before, -1) {
		var c comparison
		for _, f := range fieldRust.FindAllStringSubmatch(m[2], -1) {
			c.fields = append(c.fields, f[1])
		}
		was[m[1]] = c
	}
	for name, c := range equalsRust(before) {
		was[name] = c
	}
	for name, c := range equalsRust(after) {
		now[name] = c
	}
	return narrowedBy(was, now)
}

func equalsRust(text string) map[string]comparison {
	out := map[string]comparison{}
	for _, at := range equalRust.FindAllStringSubmatchIndex(text, -1) {
		out[text[at[2]:at[3]]] = comparison{line: lineOf(text, at[0]), body: text[at[4]:at[5]]}
	}
	return out
}

// narrowedScript: a property that everyone saw becomes one that deepEqual does not see.
func narrowedScript(before, after string) (lines []int) {
	for _, at := range hidesField.FindAllStringSubmatchIndex(after, -1) {
		if rest, _, _ := strings.Cut(after[at[1]:], ")"); strings.Contains(rest, "enumerable: true") {
			continue
		}
		name := after[max(at[2], at[4]):max(at[3], at[5])]
		had := regexp.MustCompile(`\bthis\.` + name + `\s*=[^=]|\b(?:readonly|public)\s+` + name + `\b|(?m:^[ \t]+` + name + `\s*[?!]?\s*(?::[^(\n]*)?(?:=[^>\n]*)?;?$)`)
		if had.MatchString(before) {
			lines = append(lines, lineOf(after, at[0]))
		}
	}
	return lines
}

func lineOf(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }
