package gate

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"ralph/internal/gate/testout"
	"ralph/internal/lazyregexp"
)

// usualReport matches the reports that Gradle, Surefire and Failsafe write for each class
// where nothing else is configured, in a project and in its modules.
var usualReport = lazyregexp.New(`(?:^|/)(?:build/test-results|target/(?:surefire|failsafe)-reports)/(?:.*/)?TEST-[^/]*\.xml$`)

// usualPlaces are these places as users write them.
const usualPlaces = "build/test-results/**/TEST-*.xml or target/surefire-reports/TEST-*.xml"

// usualFiles finds such reports below the gate's folder.
func usualFiles(t *tree) (names []string, err error) {
	seen := 0
	err = fs.WalkDir(t.root.FS(), t.dir, func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch seen++; {
		case seen > mostFiles:
			return fs.SkipAll
		case errors.Is(err, fs.ErrNotExist): // a tool that still ends removed it
			return nil
		case err != nil:
			return err
		case d.IsDir() && name != t.dir && (strings.HasPrefix(base, ".") || base == "node_modules"):
			return fs.SkipDir
		case d.Type().IsRegular() && usualReport.MatchString(name):
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// mostFiles bounds the files among which reports are looked for.
const mostFiles = 500_000

// readUsual reads the reports in the usual places instead of what the runner printed: Gradle
// names only tests that fail, and Maven none. Where no report is fresh, the output counts. It
// also counts where it tells of more tests: some reports are in another place then.
func readUsual(t *tree, b before, printed testout.Report, seen bool) (r testout.Report, found bool, err error) {
	names, err := usualFiles(t)
	if err != nil {
		return r, false, err
	}
	r, stale, err := mergeJUnit(t, b, names)
	switch {
	case stale != nil:
		return printed, seen, nil
	case err != nil:
		return r, false, err
	case seen && printed.Run > r.Run:
		r.Run, r.Failed, r.Partial = printed.Run, max(r.Failed, printed.Failed), true
	}
	return r, true, nil
}
