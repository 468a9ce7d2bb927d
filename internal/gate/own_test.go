package gate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/kept"
	"ralph/internal/loop"
	"ralph/internal/proof/ratchet"
	"ralph/internal/testing/tier"
)

// What RSpec and PHPUnit are asked for, beside what the project chose; FILE is the report.
func TestAskReport(t *testing.T) {
	t.Parallel()
	const rspec = "--format progress --format json --out 'FILE'"
	for _, c := range []struct {
		line, file, text, wantLine, wantOpts string
	}{
		{line: "rspec", wantOpts: rspec},
		{line: "bundle exec rspec spec/models 2>&1 | tee log", wantOpts: rspec},
		{line: "rubocop && bin/rspec", wantOpts: rspec},
		{line: "rspec -fd --color", wantOpts: "--format d --format json --out 'FILE'"},
		{line: "rspec", file: ".rspec", text: "--require spec_helper\n--format documentation\n", wantOpts: "--format documentation --format json --out 'FILE'"},
		{line: "cd sub && rspec", file: "sub/.rspec", text: "-f Fuubar\n", wantOpts: "--format Fuubar --format json --out 'FILE'"},
		{line: "rspec -f p -f RspecJunitFormatter -o rspec.xml", wantOpts: "--format p --format RspecJunitFormatter --out 'rspec.xml' --format json --out 'FILE'"},
		{line: "rspec --format=html --out 'a b.html'", wantOpts: "--format html --out 'a b.html' --format json --out 'FILE'"},
		{line: "rspec --out o.txt", wantOpts: "--format progress --out 'o.txt' --format json --out 'FILE'"},
		{line: "rspec", file: ".rspec", text: "<%= 1 %>"},
		{line: "rspec -O other"},
		{line: "rspec a && rspec b"},
		{line: "rspec || rspec --only-failures"},
		{line: "rspec && npm test"},
		{line: "for d in a b; do (cd $d && rspec); done"},
		{line: "bundle exec rake spec"},
		{line: "echo rspec"},
		{line: "phpunit", wantLine: "phpunit --log-junit 'FILE'"},
		{line: "vendor/bin/phpunit --testdox tests && echo ok", wantLine: "vendor/bin/phpunit --log-junit 'FILE' --testdox tests && echo ok"},
		{line: "php -d memory_limit=1G vendor/bin/phpunit tests", wantLine: "php -d memory_limit=1G vendor/bin/phpunit --log-junit 'FILE' tests"},
		{line: "composer exec phpunit", wantLine: "composer exec phpunit -- --log-junit 'FILE'"},
		{line: "composer exec phpunit -- --filter X", wantLine: "composer exec phpunit -- --log-junit 'FILE' --filter X"},
		{line: "composer exec -- phpunit tests", wantLine: "composer exec -- phpunit --log-junit 'FILE' tests"},
		{line: "phpunit", file: "phpunit.xml", text: "<phpunit colors='true'/>", wantLine: "phpunit --log-junit 'FILE'"},
		{line: "phpunit", file: "phpunit.xml.dist", text: `<logging><junit outputFile="junit.xml"/></logging>`},
		{line: "phpunit -c ci", file: "ci/phpunit.xml", text: `<log type="junit" target="junit.xml"/>`},
		{line: "phpunit --log-junit junit.xml"},
		{line: "phpunit | tee log"},
		{line: "phpunit a && phpunit b"},
		{line: "go test ./..."},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			if c.file != "" {
				files[c.file] = c.text
			}
			p := newPlace(t, files)
			e := newEvaluation(p.request(loop.Gate{Kind: loop.KindTests, Run: c.line}))
			e.Env = append(e.Env, "TMPDIR="+t.TempDir())
			var err error
			if e.tree, err = openTree(p.tree, ""); err != nil {
				t.Fatal(err)
			}
			defer e.tree.close()
			line, env, err := e.askReport(c.line, []string{"A=b"})
			defer e.own.remove()
			if err != nil {
				t.Fatal(err)
			}
			if c.wantLine == "" {
				c.wantLine = c.line
			}
			if e.own.dir != "" {
				line = strings.ReplaceAll(line, e.own.file(), "FILE")
			}
			opts := lookup(env, "SPEC_OPTS")
			if e.own.dir != "" {
				opts = strings.ReplaceAll(opts, e.own.file(), "FILE")
			}
			if line != c.wantLine || opts != c.wantOpts {
				t.Errorf("%q with SPEC_OPTS %q, want %q with %q", line, opts, c.wantLine, c.wantOpts)
			}
		})
	}
}

func TestAskReportKeepsSpecOpts(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	for given, want := range map[string]string{
		"--seed 3": "--seed 3 --format progress --format json --out 'FILE'",
		"-fd":      "-fd",
	} {
		e := newEvaluation(p.request(loop.Gate{Kind: loop.KindTests, Run: "rspec"}))
		var err error
		if e.tree, err = openTree(p.tree, ""); err != nil {
			t.Fatal(err)
		}
		_, env, err := e.askReport("rspec", []string{"SPEC_OPTS=" + given})
		if err != nil {
			t.Fatal(err)
		}
		got := lookup(env, "SPEC_OPTS")
		if e.own.dir != "" {
			got = strings.ReplaceAll(got, e.own.file(), "FILE")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
		e.own.remove()
		e.tree.close()
	}
}

// The names of tests by the real runners, and what the project configures itself.
func TestNamesByRealRunners(t *testing.T) {
	t.Parallel()
	const spec = "RSpec.describe 'Cart' do\n  it('adds') { puts '  printed'; expect(1).to eq(1) }\n  it('skips') { skip 'later' }\n  it { expect(2).to eq(2) }\n  it('fails') { expect(1).to eq(2) }\nend\n"
	const unit = "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class CartTest extends TestCase {\n  public function testAdds(): void { $this->assertSame(1, 1); }\n  public function testSkips(): void { $this->markTestSkipped('later'); }\n  public function testRisky(): void { }\n  public function testFails(): void { $this->assertSame(1, 2); }\n}\n"
	ruby := []string{"./spec/cart_spec.rb Cart (an example without a name) passed", "./spec/cart_spec.rb Cart adds passed", "./spec/cart_spec.rb Cart fails failed", "./spec/cart_spec.rb Cart skips skipped"}
	php := []string{"CartTest:testAdds passed", "CartTest:testFails failed", "CartTest:testRisky passed", "CartTest:testSkips skipped"}
	for _, c := range []struct {
		line, program string
		files         map[string]string
		want          []string
	}{
		{"rspec", "rspec", map[string]string{"spec/cart_spec.rb": spec}, ruby},
		{"rspec", "rspec", map[string]string{"spec/cart_spec.rb": spec, ".rspec": "--format documentation\n"}, ruby},
		{"rspec -f html -o out.html -f d", "rspec", map[string]string{"spec/cart_spec.rb": spec}, ruby},
		{"phpunit tests", "phpunit", map[string]string{"tests/CartTest.php": unit}, php},
		{"phpunit", "phpunit", map[string]string{"tests/CartTest.php": unit, "phpunit.xml": "<phpunit><testsuites><testsuite name='a'><directory>tests</directory></testsuite></testsuites></phpunit>"}, php},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.program); err != nil {
				tier.SkipLacking(t, c.program, err)
			}
			p := newPlace(t, c.files)
			r := p.request(loop.Gate{Kind: loop.KindTests, Run: c.line})
			r.NamesFile = r.LogFile + ".names"
			r.Keep = func(file string, data []byte) error { return os.WriteFile(file, data, 0o600) }
			res := p.do(r)
			want(t, res, loop.Failed, "1 of 3 tests failed: .*")
			if data, err := os.ReadFile(filepath.Join(p.tree, "out.html")); strings.Contains(c.line, "out.html") && !strings.Contains(string(data), "Cart") {
				t.Errorf("the project's own report: %q, %v", data, err)
			}
			if res.Tests == nil || res.Tests.NamesFile == "" {
				t.Fatalf("no names: %+v", res.Tests)
			}
			data, err := kept.ReadFile(r.NamesFile)
			if err != nil {
				t.Fatal(err)
			}
			names, err := ratchet.DecodeNames(data)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, n := range names {
				got = append(got, n.Name+" "+string(n.Outcome))
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}
