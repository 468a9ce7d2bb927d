package detect

import (
	"strings"

	"ralph/internal/loop"
)

func (s *scanner) golang() {
	if s.first("go.mod") == "" {
		return
	}
	if !s.contains(func(name string) bool { return strings.HasSuffix(name, ".go") }) {
		s.remark(s.at("go.mod") + ": there is no Go file yet")
		return
	}
	if s.contains(func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		s.propose(loop.Gate{Kind: loop.KindTests, Run: "go test ./..."}, "go", "go", "go.mod", "a Go module with tests")
		s.propose(loop.Gate{
			Kind: loop.KindCoverage, Level: loop.Soft, Baseline: true,
			Run: "go test -coverprofile=coverage.out ./...", Report: "coverage.out",
		}, "go", "go", "go.mod", "a Go module with tests")
	} else {
		s.remark(s.at("go.mod") + ": there is no _test.go file yet")
	}
	s.propose(loop.Gate{Kind: loop.KindTypes, Run: "go vet ./..."}, "go", "go", "go.mod", "a Go module")
	if config := s.first(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"); config != "" {
		s.propose(loop.Gate{Kind: loop.KindLint, Run: "golangci-lint run"}, "go", "golangci-lint", config, "golangci-lint is configured")
	}
}

func (s *scanner) rust() {
	const file = "Cargo.toml"
	if s.first(file) == "" {
		return
	}
	all := ""
	if s.section(file, "[workspace") {
		all = " --workspace"
	}
	s.covered["rust"] = true
	s.propose(loop.Gate{Kind: loop.KindTests, Run: "cargo test" + all}, "rust", "cargo", file, "a Cargo package")
	s.propose(loop.Gate{Kind: loop.KindLint, Run: "cargo clippy" + all + " --all-targets -- -D warnings"}, "rust", "cargo-clippy", file, "a Cargo package")
}

// java prefers the project's wrapper.
func (s *scanner) java() {
	gradle := s.first("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
	switch {
	case s.first("pom.xml") != "":
		run, program := s.wrapper("mvnw", "mvn")
		s.propose(loop.Gate{Kind: loop.KindTests, Run: run + " -B test"}, "java", program, "pom.xml", "a Maven project")
	case gradle != "":
		// A daemon would be killed at the end of the gate anyway.
		run, program := s.wrapper("gradlew", "gradle")
		s.propose(loop.Gate{Kind: loop.KindTests, Run: run + " --no-daemon test"}, "java", program, gradle, "a Gradle project")
	default:
		return
	}
	s.covered["java"] = true
}

// wrapper returns the project's script, or else the program.
func (s *scanner) wrapper(script, program string) (run, needs string) {
	if s.first(script) == "" {
		return program, program
	}
	return s.call(script), "java"
}
