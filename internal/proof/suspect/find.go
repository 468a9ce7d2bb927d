package suspect

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// Limits of what is searched: the changed sources, and their bytes. A megabyte takes a second.
const (
	mostSuspectFiles = 1000
	mostSearched     = 4 << 20
)

// Find returns the suspect lines that the work adds to the product, by file and
// line, one for each line, after the files that are suspect as a whole: compiled code
// that it adds or changes, and files in the place of others. Lines that stood in a changed
// file of the base are old, wherever they are now; tests are left out. all is false where
// the work changes more sources than are searched, or one whose content is nil.
// duties are those of the gates: where one judges the text of the product, lines count, too,
// that silence it or waive types, and those that only a gate's switches compile.
func Find(base, work []proof.File, duties judge.Duties, content func(id string) ([]byte, error)) (found []Finding, all bool, err error) {
	before, after := proof.Index(base), proof.Index(work)
	s := search{
		helpers: newHelpers(before, after, content), duties: duties,
		old: map[string]bool{}, known: map[string]bool{}, carriage: map[string]bool{},
		own: productModules(after), data: changedData(after, before), testData: testDataOf(before),
	}
	s.expected = sync.OnceValues(s.expectedLines)
	s.samples = sync.OnceValues(func() (*sampleLines, error) { return samplesOf(before, after, content) })
	if err := s.readBase(); err != nil {
		return nil, false, err
	}
	found, all, err = s.ofWhole()
	if err != nil {
		return nil, false, err
	}
	lines, whole, err := s.ofLines()
	if err != nil {
		return nil, false, err
	}
	return append(found, lines...), all && whole, nil
}

// search is one search of a change.
type search struct {
	helpers
	duties judge.Duties
	// old are the lines of the changed sources of the base, and known those lines as they are
	// searched. carriage are the sources whose lines end by carriage returns alone.
	old, known, carriage map[string]bool
	// own are the modules of the product, data the changed files that are no sources, and
	// testData the data that tests of the base have.
	own      map[string]bool
	data     []string
	testData map[string]bool
	// expected are lines of the data of tests: see expectedLines.
	expected func() (map[string][]string, error)
	// samples are the values in tests.
	samples func() (*sampleLines, error)
}

// changed is a source of the work as it is searched.
type changed struct {
	proof.File
	lang string
	// data is its content, and text that in lines; of a long source only what is new. was is
	// the text of the base.
	data      []byte
	text, was string
	// old are the lines of all changed sources of the base, task is the text of the task.
	old  map[string]bool
	task string
}

// readBase reads the lines of the changed sources of the base.
func (s search) readBase() error {
	for _, p := range changedSources(s.Before, s.After) {
		text, err := s.Content(s.Before[p].ID)
		if err != nil {
			return err
		}
		syntax.AddLines(s.old, string(text))
		lang := proof.SourceLanguage(p, string(text))
		plain := syntax.InLines(lang, text)
		syntax.AddLines(s.old, plain)
		s.carriage[p] = syntax.OnlyCarriage(text)
		if len(text) <= syntax.LongestSource {
			syntax.AddLines(s.known, withoutUsual(lang, resolved(lang, toSearch(lang, plain))))
		}
	}
	return nil
}

// ofWhole finds what is suspect in the change as a whole.
func (s search) ofWhole() (found []Finding, all bool, err error) {
	found, all, err = opaque(s.Before, s.After, s.Content)
	if err != nil {
		return nil, false, err
	}
	declares := declaringOnce(s.Before, s.After, s.Content)
	for _, find := range []func() ([]Finding, error){
		func() ([]Finding, error) {
			return replacing(s.Before, s.After, s.duties.Inspects || s.duties.ChecksTypes, s.Content)
		},
		func() ([]Finding, error) { return answers(s.Before, s.After, s.Content) },
		s.recognised,
		func() (steers []Finding, err error) {
			steers, whole, err := s.steering()
			all = all && whole
			return steers, err
		},
		func() ([]Finding, error) { return unreached(declares, s.duties.Task) },
		func() ([]Finding, error) { return unmet(declares, s.duties.Task) },
		func() ([]Finding, error) { return unfixed(s.Before, s.After, declares, s.duties.Task) },
		func() ([]Finding, error) { return besideClass(declares, s.duties.Task) },
		func() ([]Finding, error) { return unraised(s.Before, s.After, s.duties.Task, s.Content) },
		func() ([]Finding, error) { return missing(s.Before, s.After, s.duties.Task, s.Content) },
		s.optional,
		s.dataWithCases,
	} {
		more, err := find()
		if err != nil {
			return nil, false, err
		}
		found = append(found, more...)
	}
	return found, all, nil
}

// ofLines finds suspect lines in the changed sources, and in what these run as code.
func (s search) ofLines() (found []Finding, all bool, err error) {
	sources, err := runUnchanged(s.Before, s.After, s.data, s.Content)
	if err != nil {
		return nil, false, err
	}
	headers, err := headersOf(s.After, s.data, s.Content)
	if err != nil {
		return nil, false, err
	}
	sources = append(sources, headers...)
	for _, p := range changedSources(s.After, s.Before) {
		sources = append(sources, source{path: p})
	}
	total, searched := 0, map[source]bool{}
	all = true
	for len(sources) > 0 && len(searched) < mostSuspectFiles {
		next := sources[0]
		sources = sources[1:]
		data, err := s.Content(s.After[next.path].ID)
		if err != nil {
			return nil, false, err
		}
		all = all && data != nil
		c := changed{File: s.After[next.path], lang: cmp.Or(next.lang, proof.SourceLanguage(next.path, string(data))), data: data, old: s.old, task: s.duties.Task}
		c.text = syntax.InLines(c.lang, data)
		if searched[source{next.path, c.lang}] {
			continue
		}
		searched[source{next.path, c.lang}] = true
		if len(c.text) > syntax.LongestSource {
			c.text = syntax.NewPart(c.text, s.old)
		}
		switch size := len(c.text) - strings.Count(c.text, "\n"); {
		case suspicions()[c.lang] == nil:
		case bytes.IndexByte(data, 0) >= 0: // grep and others take it for binary data
			found = append(found, Finding{Path: next.path, What: looksBinary})
			continue
		case size > syntax.LongestSource:
			found = append(found, Finding{Path: next.path, What: tooLarge})
			continue
		case total+size > mostSearched:
			all = false
			continue
		default:
			total += size
		}
		sources = append(append(sources, runsAsCode(next.path, c.lang, c.text, s.data)...), readIntoShell(c.lang, c.text, s.data)...)
		was, err := s.ContentOf(s.Before[next.path])
		if err != nil {
			return nil, false, err
		}
		c.was = syntax.InLines(c.lang, was)
		in, err := s.in(c)
		if err != nil {
			return nil, false, err
		}
		found = append(found, in...)
	}
	return found, all && len(sources) == 0, nil
}

// in are the suspect lines of one source, one for each line.
func (s search) in(c changed) (found []Finding, err error) {
	p, lang, text, old := c.Path, c.lang, c.text, s.old
	entry, err := s.isEntry(p, lang, text, s.duties.Texts)
	if err != nil {
		return nil, err
	}
	var odd []Finding
	if !s.carriage[p] {
		odd = oddEndsIn(p, lang, c.data, old)
	}
	found = slices.Concat(
		suspectsIn(p, lang, text, entry, s.known, s.own),
		lenientIn(p, text, old),
		odd,
		silencedIn(p, text, s.duties, old),
		stubs(p, lang, text, old),
		unreachable(p, lang, text, old),
		ignoresFailures(c.File, lang, text, old),
		switchedIn(p, lang, text, s.duties.Switches, old),
		leftOutIn(p, lang, text, s.duties.Texts, old),
		sharedNames(p, lang, text, s.duties.Texts, old),
		namesComparedIn(p, lang, text, s.duties.Compared, old),
		namesTestDataIn(p, lang, text, s.testData, old),
		interposedIn(p, lang, text, old),
		attributesIn(p, lang, text, s.duties.Texts, old),
		leftIn(p, lang, text, old),
	)
	for _, find := range []func() ([]Finding, error){
		func() ([]Finding, error) { return s.copiesOf(p, text) },
		func() ([]Finding, error) { return s.holdingCases(c) },
	} {
		more, err := find()
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	more, err := s.suspectsIn(c)
	if err != nil {
		return nil, err
	}
	found = append(found, more...)
	slices.SortStableFunc(found, func(a, b Finding) int { return a.Line - b.Line })
	return slices.CompactFunc(found, func(a, b Finding) bool { return a.Line == b.Line }), nil
}

// changedSources are the sources of the product that the other commit does not have
// like this. A file without an extension may be a script.
func changedSources(files, other map[string]proof.File) []string {
	var out []string
	for _, p := range proof.SortedPaths(files) {
		if _, test := proof.IsTest(p); !test && files[p].ID != other[p].ID && proof.IsFile(files[p]) && (path.Ext(p) == "" || suspicions()[proof.LanguageOf(p)] != nil) {
			out = append(out, p)
		}
	}
	return out
}
