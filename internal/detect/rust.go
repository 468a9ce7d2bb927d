package detect

import "ralph/internal/loop"

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
