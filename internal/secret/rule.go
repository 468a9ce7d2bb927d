package secret

import (
	_ "embed"
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"sync"
)

// Rule is the form of one kind of secret.
type Rule struct {
	ID      string `json:"id"`
	Pattern string `json:"pattern"`
	// Group is the group of Pattern that is the secret; 0 is the first one, or all
	// of the match where there is none.
	Group int `json:"group,omitempty"`
	// Entropy is the least Shannon entropy of the secret, in bits a character.
	Entropy float64 `json:"entropy,omitempty"`
	// Keywords are in lower case; a line without any of them has no such secret.
	Keywords []string `json:"keywords"`
	// Except are expressions of what looks like such a secret and is none.
	Except []string `json:"except,omitempty"`
}

//go:embed rules.json
var rulesJSON []byte

// rules are compiled when the first text is looked at: most commands look at none.
var rules = sync.OnceValue(func() *ruleSet {
	var all []Rule
	if err := json.Unmarshal(rulesJSON, &all); err != nil {
		panic("secret: rules.json: " + err.Error())
	}
	set := &ruleSet{keywords: newAutomaton()}
	for i, r := range all {
		set.rules = append(set.rules, lazyRule{Rule: r, compiled: sync.OnceValue(r.compile)})
		for _, k := range r.Keywords {
			set.keywords.add(k, i)
		}
	}
	set.keywords.link()
	return set
})

type ruleSet struct {
	rules    []lazyRule
	keywords *automaton
}

type lazyRule struct {
	Rule
	compiled func() expressions
}

type expressions struct {
	pattern *regexp.Regexp
	except  []*regexp.Regexp
}

func (r Rule) compile() expressions {
	e := expressions{pattern: regexp.MustCompile(r.Pattern)}
	for _, text := range r.Except {
		e.except = append(e.except, regexp.MustCompile(text))
	}
	return e
}

// span is a secret in a text: its bytes from start to end, and its kind.
type span struct {
	start, end int
	kind       string
}

// moved returns the span n bytes further on.
func (s span) moved(n int) span {
	s.start, s.end = s.start+n, s.end+n
	return s
}

// find returns the secrets of a text by their form, line by line.
func (s *ruleSet) find(text string) []span {
	var out []span
	s.keywords.lines(text, func(start, end int, hits []int) {
		for _, i := range hits {
			for _, f := range s.rules[i].find(text[start:end]) {
				out = append(out, f.moved(start))
			}
		}
	})
	return out
}

func (r *lazyRule) find(text string) []span {
	var out []span
	e := r.compiled()
	for _, m := range e.pattern.FindAllStringSubmatchIndex(text, -1) {
		at := r.secretOf(m)
		if value := text[at.start:at.end]; entropy(value) >= r.Entropy && !e.excepted(value) {
			out = append(out, at)
		}
	}
	return out
}

// secretOf returns the group that is the secret.
func (r *lazyRule) secretOf(m []int) span {
	if r.Group > 0 && 2*r.Group+1 < len(m) && m[2*r.Group] >= 0 {
		return span{m[2*r.Group], m[2*r.Group+1], r.ID}
	}
	for g := 2; g+1 < len(m); g += 2 {
		if m[g] >= 0 && m[g] < m[g+1] {
			return span{m[g], m[g+1], r.ID}
		}
	}
	return span{m[0], m[1], r.ID}
}

func (e expressions) excepted(value string) bool {
	for _, x := range e.except {
		if x.MatchString(value) {
			return true
		}
	}
	return placeholder(value)
}

// placeholder reports whether a value is an example: documentation and tests are
// full of them.
func placeholder(value string) bool {
	upper := strings.ToUpper(value)
	for _, word := range []string{"EXAMPLE", "XXXXXXXX", "PLACEHOLDER", "CHANGEME", "YOUR_", "12345678901234567890", "00000000000000"} {
		if strings.Contains(upper, word) {
			return true
		}
	}
	return false
}

// entropy returns the Shannon entropy of a text, in bits a byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
