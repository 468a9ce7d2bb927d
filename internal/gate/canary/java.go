package canary

import (
	"fmt"
	"path"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	javaPackage = lazyregexp.New(`(?m)^package\s+([\w.]+)\s*;`)
	jupiter     = lazyregexp.New(`(?m)^import\s+(?:static\s+)?org\.junit\.jupiter\.api\.`)
	junit4      = lazyregexp.New(`(?m)^import\s+org\.junit\.(?:Test|\*)\s*;`)
)

// inJavaTests reports whether a file lies where Maven and Gradle look for tests.
func inJavaTests(file string) bool { return strings.Contains("/"+file, "/src/test/") }

// junitOf returns the annotation of tests and the class of assertions that a file uses; ""
// is none.
func junitOf(text string) (test, assertions string) {
	switch {
	case jupiter.MatchString(text):
		return "org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions"
	case junit4.MatchString(text):
		return "org.junit.Test", "org.junit.Assert"
	}
	return "", ""
}

// java is a class of its own in the folder of tests of JUnit 4 or 5.
func java(file, text string, word func() string, _ bool) (Place, bool) {
	test, assertions := junitOf(text)
	if test == "" {
		return Place{}, false
	}
	class := title(word()) + "Test"
	p := Place{Path: path.Join(path.Dir(file), class+".java")}
	var b strings.Builder
	if m := javaPackage.FindStringSubmatch(text); m != nil {
		fmt.Fprintf(&b, "package %s;\n\n", m[1])
	}
	fmt.Fprintf(&b, "public class %s {\n", class)
	for _, body := range []string{
		assertions + ".assertEquals(1, 2)", assertions + ".assertTrue(false)", assertions + `.assertNull("x")`, assertions + `.fail("not equal")`,
		`throw new IllegalStateException("not equal")`,
	} {
		name := word()
		fmt.Fprintf(&b, "    @%s\n    public void %s() {\n        %s;\n    }\n\n", test, name, body)
		p.Names = append(p.Names, name)
	}
	b.WriteString("}\n")
	p.Data = []byte(b.String())
	return p, true
}

// javaAssertions stands for the class of assertions in what makes a test fail.
const javaAssertions = "ASSERT"

// failingJava makes the tests of a file fail at their ends, as failingBlocks does.
func failingJava(text string) (string, []string) {
	_, assertions := junitOf(text)
	if assertions == "" {
		return text, nil
	}
	out, names := failingBlocks(".java", text)
	if len(names) == 0 {
		return text, nil
	}
	return strings.ReplaceAll(out, javaAssertions+".assertEquals(1, 2);", assertions+".assertEquals(1, 2);"), names
}
