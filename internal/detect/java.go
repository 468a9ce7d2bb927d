package detect

import "ralph/internal/loop"

// java prefers the wrapper that the project brings.
func (s *scanner) java() {
	gradle := s.first("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
	switch {
	case s.first("pom.xml") != "":
		run, program := s.wrapper("mvnw", "mvn")
		s.propose(loop.Gate{Kind: loop.KindTests, Run: run + " -B test"}, "java", program, "pom.xml", "a Maven project")
	case gradle != "":
		// A daemon that stays behind would be ended with the gate anyway.
		run, program := s.wrapper("gradlew", "gradle")
		s.propose(loop.Gate{Kind: loop.KindTests, Run: run + " --no-daemon test"}, "java", program, gradle, "a Gradle project")
	default:
		return
	}
	s.covered["java"] = true
}

// wrapper is how to call the project's script, or else the program.
func (s *scanner) wrapper(script, program string) (run, needs string) {
	if s.first(script) == "" {
		return program, program
	}
	return s.call(script), "java"
}
