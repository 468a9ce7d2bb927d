package suspect

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

// Work can store what a task asks it to obey, and never look at it: a deadline in a private field,
// an option in a variable of a script.

// storesUnread is what a line does that stores such a value.
const storesUnread = "stores a value that no code of the product reads: "

// storing is how a language stores values under names that are private to the product. stores
// matches a line that does; its groups are the name. reads is what reads NAME, but where written
// matches behind it.
type storing struct {
	stores *lazyregexp.Regexp
	reads  string
}

const readsAttribute = "\\.NAME\\b|[\"'`]NAME[\"'`]"

var (
	// storesGo and its like match where a source gives a private name a value, the groups the name.
	storesGo     = lazyregexp.New(`\.([a-z]\w*)(?:\[[^\[\]\n]*\])?\s*=[^=]|\b([a-z]\w*):\s`)
	storesPython = lazyregexp.New(`\bself\.(_[a-z]\w*)\s*(?::[^=\n]+)?=[^=]`)
	storesScript = lazyregexp.New(`\bthis\.(#\w+|_[a-z]\w*)\s*=[^=]`)
	storesShell  = lazyregexp.New(`(?:^|[;&|{()]|\b(?:then|do|else|local|readonly)\b)\s*([a-z_][a-z0-9_]*)=(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|"']*)\s*(?:$|[;&|})])`)
	// written matches what follows a name that gets a value.
	written = lazyregexp.New(`^(?:\[[^\[\]\n]*\])?\s*(?::[^=\n]+=[^=]|:?=[^=]|\+\+|--|(?:[-+*/%|&^]|<<|>>|\*\*|//|\|\||&&|\?\?)=)`)
	// readsAny matches a source whose variables can be read without their names.
	readsAny = lazyregexp.New(`\bset -[a-z]*a\b|\$\{!|\beval\b|\bcompgen\b|\b__dict__\b|\b(?:vars|getattr)\(|\breflect\.|\bunsafe\.|\bbinary\.|\bObject\.(?:keys|entries|values|assign)\(`)
	// keepsAlive matches a line that stores what works by itself as long as it is stored.
	keepsAlive = lazyregexp.New(`(?:create_task|ensure_future|Timer|Thread|Observer|[Ss]ubscribe|[Ww]atch\w*|setInterval|setTimeout)\(`)
	// goFields matches a struct of Go; its groups are its name and its fields.
	goFields = lazyregexp.New(`(?ms)^type\s+(\w+)(?:\[[^\]\n]*\])?\s+struct\s*\{\n(.*?)^\}`)
	// goField matches the private fields of a line, its group the names.
	goField = lazyregexp.New(`(?m)^\t((?:[a-z]\w*,[ \t]*)*[a-z]\w*)[ \t]+[^ \t\n/]`)
)

// storingIn is that of a language whose rules are known.
func storingIn(lang string) (how storing, known bool) {
	switch lang {
	case "go":
		return storing{storesGo, readsAttribute}, true
	case "python":
		return storing{storesPython, readsAttribute}, true
	case "js":
		return storing{storesScript, readsAttribute + `|[{,]\s*NAME\s*[,}:]`}, true
	case "shell":
		return storing{storesShell, `\$\{?[#!]?NAME\b|\(\([^\n]*\bNAME\b|-v\s+NAME\b|\b(?:export|declare|eval|let)\b[^\n]*\bNAME\b`}, true
	}
	return storing{}, false
}

// storedOnly are the new lines of a changed source that store such values under names that the
// base does not have.
func (h helpers) storedOnly(c changed) (out []Finding, err error) {
	how, known := storingIn(c.lang)
	if !known || readsAny.MatchString(c.text) {
		return nil, nil
	}
	fields, stored := newFields(c.lang, c.text, c.old), map[string]int{}
	for n, line := range newCode(c.lang, c.text, c.old) {
		if keepsAlive.MatchString(line) {
			continue
		}
		for _, m := range how.stores.FindAllStringSubmatch(line, -1) {
			name := strings.Join(m[1:], "")
			if _, had := stored[name]; !had && (c.lang != "go" || slices.Contains(fields, name)) {
				stored[name] = n
			}
		}
	}
	if len(stored) == 0 {
		return nil, nil
	}
	product, all, err := h.textOf(c.lang, mayRead(c.Path, c.lang))
	if err != nil || !all {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(stored)) {
		if !reads(how.reads, name, product) && !strings.Contains(c.was, name) {
			out = append(out, Finding{Path: c.Path, Line: stored[name], What: storesUnread + name})
		}
	}
	return out, nil
}

// mayRead tells the files whose code can read a private value of a source: those of its package in
// Go, all sources in a shell, which tests can read into themselves, and else those of the product.
func mayRead(p, lang string) func(q string) bool {
	return func(q string) bool {
		_, test := proof.IsTest(q)
		return lang == "shell" || !test && (lang != "go" || proof.DirOf(q) == proof.DirOf(p))
	}
}

// reads reports whether code reads a name.
func reads(pattern, name, code string) bool {
	quoted := strings.ReplaceAll(pattern, `NAME`, regexp.QuoteMeta(name))
	for _, at := range regexp.MustCompile(quoted).FindAllStringIndex(code, -1) {
		if code[at[0]] != '.' || !written.MatchString(code[at[1]:]) {
			return true
		}
	}
	return false
}

// newFields are the unexported fields that new lines of a Go source add to structs. Types that are
// keys of maps are left out: their fields are compared as a whole.
func newFields(lang, text string, old map[string]bool) (names []string) {
	if lang != "go" {
		return nil
	}
	for _, s := range goFields.FindAllStringSubmatch(text, -1) {
		if strings.Contains(text, "map["+s[1]+"]") || strings.Contains(text, "map[*"+s[1]+"]") {
			continue
		}
		for _, f := range goField.FindAllStringSubmatch(s[2], -1) {
			if !old[strings.TrimSpace(f[0])] {
				names = append(names, strings.FieldsFunc(f[1], func(r rune) bool { return r == ',' || r == ' ' })...)
			}
		}
	}
	return names
}
