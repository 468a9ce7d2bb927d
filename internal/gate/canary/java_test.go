package canary

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/gate/testout"
	"ralph/internal/testing/tier"
)

// The tests of ralph's own, and those of a project, fail by JUnit's console, which runs tests
// of JUnit 4 and 5.
func TestJavaByJUnit(t *testing.T) {
	t.Parallel()
	var jars []string
	for _, name := range []string{"junit-jupiter*", "junit-vintage-engine", "junit-platform-*", "opentest4j", "apiguardian-api", "junit4", "hamcrest*", "univocity-parsers", "picocli"} {
		found, _ := filepath.Glob("/usr/share/java/" + name + ".jar")
		jars = append(jars, found...)
	}
	jars = slices.DeleteFunc(jars, func(jar string) bool { return strings.Contains(jar, "standalone") })
	if _, err := exec.LookPath("javac"); err != nil || !slices.Contains(jars, "/usr/share/java/junit-platform-console.jar") || !slices.Contains(jars, "/usr/share/java/junit4.jar") {
		tier.SkipLacking(t, "javac and JUnit in /usr/share/java", err)
	}
	const body = "public class ATest {\n  @Test\n  public void adds() {\n    assertEquals(3, A.add(1, 2));\n  }\n\n  @Test public void is() { assertTrue(true); }\n}\n"
	files := map[string]string{
		"src/test/java/c/d/ATest.java": "package c.d;\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n" + body,
		"src/test/java/c/ATest.java":   "package c;\nimport c.d.A;\nimport static org.junit.Assert.*;\nimport org.junit.Test;\n" + body,
	}
	all := placesOf(files, Options{Own: true})
	files["src/main/java/c/d/A.java"] = "package c.d;\npublic class A { public static int add(int a, int b) { return a + b; } }\n"
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	for _, p := range all {
		for _, f := range append(p.Edited, File{p.Path, p.Data}) {
			write(t, filepath.Join(dir, f.Path), string(f.Data))
		}
	}
	path := strings.Join(jars, ":")
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "javac -d out -cp "+path+" $(find src -name '*.java') && java -cp "+path+":out org.junit.platform.console.ConsoleLauncher --scan-classpath out --reports-dir reports; cat reports/*.xml")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := testout.JUnitXML(out)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if missing := Unreported(all, r.FailedIDs()); len(all) != 2 || len(missing) > 0 {
		t.Errorf("not reported: %+v\n%s", missing, out)
	}
	if own := Tests(all, r.Names()); len(own) != 4 {
		t.Errorf("tests that were made to fail: %q", own)
	}
}
