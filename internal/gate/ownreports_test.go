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

// RSpec and PHPUnit are asked where the gate runs them, or the project knows them; what else the
// gate runs hears nothing of it.
func TestAskReports(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, file, text, env string
		ruby, php             bool
	}{
		{line: "rspec", ruby: true},
		{line: "rubocop && bundle exec rspec spec/models 2>&1 | tee log", ruby: true},
		{line: "rspec", env: "SPEC_OPTS=--seed 3", ruby: true},
		{line: "bundle exec rake", file: "Gemfile", text: "gem 'rspec'\n", ruby: true},
		{line: "make -C web test", file: "web/Rakefile", text: "require 'rspec/core/rake_task'\n"},
		{line: "cd web && rake", file: "web/Rakefile", text: "require 'rspec/core/rake_task'\n", ruby: true},
		{line: "make", file: "Gemfile", text: "gem 'minitest'\n"},
		{line: "vendor/bin/phpunit tests", php: true},
		{line: "php -d memory_limit=1G vendor/bin/phpunit tests", env: "PHP_INI_SCAN_DIR=/etc/ci", php: true},
		{line: "composer test", file: "composer.json", text: `{"scripts": {"test": "phpunit"}}`, php: true},
		{line: "make test", file: "phpunit.xml.dist", text: "<phpunit/>", php: true},
		{line: "go test ./..."},
		{line: "echo rspec"},
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
			given := []string{"A=b", c.env}
			env, err := e.askReports(given)
			defer e.own.remove()
			if err != nil {
				t.Fatal(err)
			}
			name, value, _ := strings.Cut(c.env, "=")
			for variable, asked := range map[string]bool{"SPEC_OPTS": c.ruby, "PHP_INI_SCAN_DIR": c.php} {
				got, had := lookup(env, variable), ""
				if name == variable {
					had = value
				}
				if !strings.HasPrefix(got, had) || (got != had) != asked {
					t.Errorf("%s=%q beside %q; asked: %v, want %v", variable, got, had, got != had, asked)
				}
			}
			if (e.own.dir != "") != (c.ruby || c.php) {
				t.Errorf("folder of reports %q", e.own.dir)
			}
		})
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
		{"rspec -O other", "rspec", map[string]string{"spec/cart_spec.rb": spec, "other": "-f p"}, ruby},
		{"rake", "rake", map[string]string{"spec/cart_spec.rb": spec, "Rakefile": "require 'rspec/core/rake_task'\nRSpec::Core::RakeTask.new(:spec) { |t| t.rspec_opts = '-f d' }\ntask default: :spec\n"}, ruby},
		{"sh test.sh", "rspec", map[string]string{"a/spec/cart_spec.rb": spec, "b/spec/cart_spec.rb": "RSpec.describe('Cart') { }\n", "Gemfile": "gem 'rspec'\n", "test.sh": "(cd b && rspec); cd a && rspec\n"}, ruby},
		{"composer test", "composer", map[string]string{"tests/CartTest.php": unit, "composer.json": `{"name": "a/b", "scripts": {"test": "phpunit tests"}}`}, php},
		{"make", "phpunit", map[string]string{"tests/CartTest.php": unit, "Makefile": "test:\n\tphpunit -c .\n", "phpunit.xml": "<phpunit><testsuites><testsuite name='a'><directory>tests</directory></testsuite></testsuites></phpunit>"}, php},
		{"phpunit tests | tee out.txt && false", "phpunit", map[string]string{"tests/CartTest.php": unit}, php},
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
