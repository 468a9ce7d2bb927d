package judge

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// coverageWords match the usual reports of coverage, the data from which tools make
// them, the names of configuration that only these tools read, and what changes the
// counters.
const coverageWords = `(?i)\blcov[\w.-]*\.info\b|\.lcov\b|\bclover\.xml|\bcobertura[\w-]*\.xml|\bjacoco\w*\.xml|\bcoverage(?:-\w+)?\.(?:out|txt|json|xml|lcov|dat)\b|\bcover\.(?:out|txt)\b|\bc\.out\b|\.last_run\.json|tarpaulin-report` +
	`|\.prof(?:raw|data)\b|\.gcda\b|["'` + "`" + `/]\.(?:coverage|nyc_output)\b|\.coveragerc|\.nycrc|\.c8rc|\.simplecov` +
	`|\bGOCOVERDIR\b|\bNODE_V8_COVERAGE\b|\bLLVM_PROFILE_FILE\b|\bCOVERAGE_(?:FILE|RCFILE|PROCESS_START)\b` +
	`|__coverage__|\bv8\.(?:take|stop)Coverage\b|\bsys\.(?:settrace|setprofile|monitoring)\b|\bcoverage\.(?:Coverage|current|process_startup)\b|["']runtime/coverage["']|\btesting\.(?:RegisterCover|Coverage)\b|__gcov_|__llvm_profile_`

// ReportPattern matches the names of the reports that the gates read, and, where one measures
// coverage, of what makes such reports; nil where no gate reads any.
func ReportPattern(gates []loop.Gate, measured bool) *lazyregexp.Regexp {
	var parts []string
	if measured {
		parts = append(parts, coverageWords)
	}
	for _, g := range gates {
		junit, is := strings.CutPrefix(g.Parse, "junit:")
		if !is {
			junit = ""
		}
		for _, name := range []string{path.Base(g.Report), path.Base(junit)} {
			if len(name) > 2 && !strings.ContainsAny(name, "*?[{") {
				parts = append(parts, `(?:^|[^\w.-])`+regexp.QuoteMeta(name)+`(?:$|[^\w-])`)
			}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	slices.Sort(parts)
	return lazyregexp.New(strings.Join(slices.Compact(parts), "|"))
}
