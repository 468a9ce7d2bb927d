package proof

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// Lines that a file of tests may gain above its new tests, and those that may still
// follow them: the ends of what they stand in.
var (
	importLine  = lazyregexp.New(`^\s*(?:(?:import|from|use)\s.*|(?:[\w.]+ )?"[\w./-]+"|(?:const|var|let) [\w{}, ]+ = require\(['"][\w@./:-]+['"]\);?|)$`)
	closingLine = lazyregexp.New(`^\s*(?:[)}\]]+[;,]?|if __name__ == .*:|(?:unittest|pytest)\.main\(.*\)|)$`)
)

// onlyAdds reports whether the work left the tests of a file as they are and added
// others at its end, with the imports that they need. Like a new file of tests it
// takes nothing from what the base's tests find. A gate of coverage counts the tests
// of the work, so that a person should see which files they are in.
func (d *diff) onlyAdds(p string) (bool, error) {
	old, now := d.base[p], d.work[p]
	if _, test := d.isTest(p); !test || d.Gate.Kind == loop.KindCoverage || isConfig(p) || languageOf(p) == "" || d.protects(p) || old.ID == "" || now.ID == "" || old.Mode != now.Mode || !isFile(now) {
		return false, nil
	}
	base, err := d.Content(old.ID)
	if err != nil {
		return false, err
	}
	work, err := d.Content(now.ID)
	if err != nil {
		return false, err
	}
	return addsAtEnd(strings.Split(string(base), "\n"), strings.Split(string(work), "\n")), nil
}

func addsAtEnd(base, work []string) bool {
	for len(base) > 0 && len(work) > 0 && closingLine.MatchString(base[len(base)-1]) && base[len(base)-1] == work[len(work)-1] {
		base, work = base[:len(base)-1], work[:len(work)-1]
	}
	for len(base) > 0 && closingLine.MatchString(base[len(base)-1]) && strings.TrimSpace(base[len(base)-1]) == "" {
		base = base[:len(base)-1]
	}
	for _, line := range work {
		switch {
		case len(base) == 0:
			return true
		case line == base[0]:
			base = base[1:]
		case !importLine.MatchString(line):
			return false
		}
	}
	return len(base) == 0
}
