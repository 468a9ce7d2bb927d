package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"ralph/internal/gate/testout"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/text/shell"
)

// ownReports are reports that RSpec and PHPUnit write for ralph, one each time they run, beside
// what they print: they print no names of the tests that pass. They lie among the temporary
// files of the gate, outside of the tree, beside the code that has them written.
type ownReports struct{ dir string }

func (o ownReports) remove() {
	if o.dir != "" {
		proc.RemoveTempDir(o.dir)
	}
}

// rubyNames is a file that RSpec requires.
const rubyNames = `RSpec.configure do |config|
  config.before(:suite) do
    config.add_formatter("json", "#{__dir__}/rspec-#{Process.pid}-#{Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)}")
  end
end
`

// phpNames is run by PHP before each program, and gives PHPUnit an option, unless it writes such
// a report already. Any version of PHP can read it.
const phpNames = `<?php
call_user_func(function () {
    $words = isset($_SERVER['argv']) ? $_SERVER['argv'] : array();
    if (!$words || !preg_match('/^phpunit(\.phar)?$/', basename($words[0]))) {
        return;
    }
    $configured = array('phpunit.xml', 'phpunit.dist.xml', 'phpunit.xml.dist');
    foreach ($words as $at => $word) {
        if (strpos($word, '--log-junit') === 0) {
            return;
        }
        if (preg_match('/^(?:-c|--configuration)(?:=|$)(.*)/', $word, $m)) {
            $name = $m[1] !== '' ? $m[1] : (isset($words[$at + 1]) ? $words[$at + 1] : '');
            array_push($configured, $name, "$name/phpunit.xml", "$name/phpunit.xml.dist");
        }
    }
    foreach ($configured as $file) {
        if (is_file($file) && preg_match('/<junit\b|type="junit"/', file_get_contents($file))) {
            return;
        }
    }
    array_splice($_SERVER['argv'], 1, 0, array('--log-junit', __DIR__ . '/phpunit-' . getmypid() . '-' . microtime(true)));
    $_SERVER['argc'] += 2;
});
`

// askReports lets RSpec and PHPUnit write such reports, wherever the gate starts them: by their
// environment, so that commands and what they print stay as they are.
func (e *evaluation) askReports(env []string) ([]string, error) {
	ruby, php := e.mayRun("rspec"), e.mayRun("phpunit")
	if !ruby && !php || e.reading.off || e.reading.junit != "" || e.Gate.Kind != loop.KindTests && e.Gate.Kind != loop.KindCoverage {
		return env, nil
	}
	dir, err := proc.TempDir(lookup(e.Env, "TMPDIR"), "tests")
	if err != nil {
		return env, err
	}
	e.own = ownReports{dir}
	code := map[string]string{}
	if ruby {
		file := filepath.Join(dir, "names.rb")
		code[file] = rubyNames
		env = appended(env, "SPEC_OPTS", "--require "+quoted(file))
	}
	if php {
		file := filepath.Join(dir, "names.php")
		code[file], code[filepath.Join(dir, "names.ini")] = phpNames, "auto_prepend_file="+strconv.Quote(file)+"\n"
		env = environment(env, map[string]string{"PHP_INI_SCAN_DIR": lookup(env, "PHP_INI_SCAN_DIR") + ":" + dir}) // an empty one is PHP's own
	}
	for file, text := range code {
		err = errors.Join(err, os.WriteFile(file, []byte(text), 0o600))
	}
	return env, err
}

// manifests are the files of a project that tell of a runner.
var manifests = map[string][]string{
	"rspec":   {"Gemfile", "Rakefile", ".rspec", "spec/spec_helper.rb"},
	"phpunit": {"composer.json", "phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist"},
}

// mayRun reports whether a command of the gate runs this runner, or the project knows it in a
// folder where the gate works.
func (e *evaluation) mayRun(name string) bool {
	dirs := map[string]bool{"": true}
	for _, c := range shell.Split(e.Gate.Run) {
		if r, ok := identify(c.Words); ok && r.name == name {
			return true
		}
		dirs[c.Dir] = true
	}
	for dir := range dirs {
		for _, file := range manifests[name] {
			if strings.Contains(strings.ToLower(e.text(path.Join(dir, file))), name) {
				return true
			}
		}
	}
	return false
}

// withOwn adds the names of the tests in the reports that were asked for to what was printed.
func (e *evaluation) withOwn(printed testout.Report, seen bool) (testout.Report, bool, error) {
	own, found, err := e.readOwn()
	switch {
	case err != nil && seen: // it was cut: the names are unknown
		return printed, seen, nil
	case err != nil:
		return printed, false, fmt.Errorf("report of the tests: %w", err)
	case !found:
		return printed, seen, nil
	case !seen:
		return own, true, nil
	}
	return printed.Named(own), true, nil
}

// readOwn reads all such reports.
func (e *evaluation) readOwn() (all testout.Report, found bool, err error) {
	if e.own.dir == "" {
		return all, false, nil
	}
	root, err := os.OpenRoot(e.own.dir)
	if err != nil {
		return all, false, err
	}
	t := &tree{root: root}
	defer t.close()
	files, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return all, false, err
	}
	for _, f := range files {
		var read func([]byte) (testout.Report, error)
		switch kind, _, _ := strings.Cut(f.Name(), "-"); kind {
		case "rspec":
			read = testout.RSpecJSON
		case "phpunit":
			read = testout.JUnitXML
		default:
			continue
		}
		data, err := t.read(f.Name(), testout.MaxJUnit)
		if err != nil {
			return all, false, err
		}
		r, err := read(data)
		if err != nil {
			return all, false, err
		}
		all, found = all.Merge(r), true
	}
	return all, found, nil
}

// quoted is a word of a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
