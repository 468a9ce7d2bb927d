package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// Work can write a class beside the one that does wrong, which repairs its methods and which only
// tests use: everyone else gets the old one.

// onlyTested is what such a class is.
const onlyTested = "is a subclass that only tests use, and the class that it repairs is unchanged"

var (
	// extends matches the head of a class; its groups are the class and the one that it extends.
	extends = lazyregexp.New(`^class\s+(\w+)\s*\(\s*([\w.]+)\s*\)|^class\s+(\w+)\s+extends\s+([\w.]+)`)
	// method matches the head of a method in the code of a class, its group being the name.
	method = lazyregexp.New(`[\s{};:](?:async )?(?:def )?([A-Za-z_]\w*)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:->[^:{]*)?[:{]`)
	// leavesMethods matches a class whose methods others are meant to write.
	leavesMethods = lazyregexp.New(`\bNotImplemented|\babstract|\bABC\b|\bProtocol\b|\bthrow new Error\b|: (?:pass|\.\.\.)(?: |$)`)
	// notOverridden are words that look like methods, and those that make a value.
	notOverridden = []string{"if", "for", "while", "with", "switch", "catch", "elif", "function", "__init__", "constructor"}
)

// besideClass are the new classes that override methods of a class of the base, if the work does not
// change that class, it has no other subclass, and neither the task nor the product names the new one.
func besideClass(sources declaring, task string) (out []Finding, err error) {
	if task == "" {
		return nil, nil
	}
	c, ok, err := sources()
	if !ok || err != nil {
		return nil, err
	}
	same := unchanged(c.was, c.now)
	for _, d := range c.now {
		class, of := extended(d)
		at := slices.IndexFunc(same, func(o declaration) bool { return o.kind && o.name == of })
		if class == "" || at < 0 || slices.ContainsFunc(c.was, func(o declaration) bool { return o.name == class || isFamily(o, of) }) {
			continue
		}
		if leavesMethods.MatchString(same[at].code) || !overrides(d.code, same[at].code) || strings.Contains(strings.ToLower(task), strings.ToLower(class)) {
			continue
		}
		name, used := regexp.MustCompile(`\b`+regexp.QuoteMeta(class)+`\b`), 0
		for _, e := range c.edits {
			used += len(name.FindAllString(codeOf(e.lang, e.text), -1))
		}
		if used <= len(name.FindAllString(d.code, -1)) {
			out = append(out, Finding{Path: d.path, Line: d.line, What: onlyTested})
		}
	}
	return out, nil
}

// extended returns the class that a declaration is and the one that it extends, or "".
func extended(d declaration) (class, of string) {
	m := extends.FindStringSubmatch(strings.TrimPrefix(strings.TrimPrefix(d.code, "export "), "default "))
	if m == nil || !d.kind {
		return "", ""
	}
	of = m[2] + m[4]
	return m[1] + m[3], of[strings.LastIndexByte(of, '.')+1:]
}

// isFamily reports whether a declaration is a class that extends another.
func isFamily(d declaration, of string) bool {
	_, base := extended(d)
	return base == of
}

// overrides reports whether a class has a method of another, but for what makes it.
func overrides(class, of string) bool {
	has := methodsIn(of)
	return slices.ContainsFunc(methodsIn(class), func(name string) bool { return slices.Contains(has, name) })
}

func methodsIn(class string) (names []string) {
	for _, m := range method.FindAllStringSubmatch(class, -1) {
		if !slices.Contains(notOverridden, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}
