package gate

import (
	"strings"

	"ralph/internal/gate/testout"
	"ralph/internal/loop"
)

// reading says which test results are looked for, and how much they count.
type reading struct {
	known   bool
	off     bool   // parse: exit
	junit   string // a report's path, or "-" for the output itself
	formats []testout.Format
	// must: results have to be readable. counts: what could be read decides,
	// together with the exit code; else it only names failures.
	must, counts bool
	// alone: only the runner can have failed.
	alone bool
}

func readingOf(g loop.Gate) reading {
	r := explicit(g.Parse)
	if !r.known || r.off {
		return r
	}
	runner, found := runnerOf(g.Run)
	r.alone = runner.alone
	if r.formats == nil {
		r.formats = runner.formats
	}
	switch {
	case g.Kind != loop.KindTests && g.Kind != loop.KindCoverage:
		r.must, r.counts = false, false
	case r.must || g.MinTests != nil:
		r.must, r.counts = true, true
	default:
		// A coverage gate must read its coverage; tests help where they can.
		r.must = g.Kind == loop.KindTests && found && !runner.wrapper
		r.counts = found
	}
	return r
}

// explicit reads the parse key.
func explicit(parse string) reading {
	demanded := reading{known: true, must: true}
	path, isFile := strings.CutPrefix(parse, "junit:")
	switch {
	case parse == "" || parse == "auto":
		return reading{known: true}
	case parse == "exit":
		return reading{known: true, off: true}
	case isFile && path != "":
		demanded.junit = path
	case parse == "junit":
		demanded.junit = "-"
	case testout.Known(testout.Format(parse)):
		demanded.formats = []testout.Format{testout.Format(parse)}
	default:
		return reading{}
	}
	return demanded
}
