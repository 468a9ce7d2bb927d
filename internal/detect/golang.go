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
