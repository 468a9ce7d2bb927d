package judge

import (
	"testing"

	"ralph/internal/testing/prooftest"
)

// Of a file of Rust the modules of unit tests are the base's, and the rest the work's.
func TestMergeRust(t *testing.T) {
	t.Parallel()
	const a, b = "pub fn a() -> char { '}' }\n", "pub fn a() -> u8 { 1 } // {\n"
	const old = "#[cfg(test)]\n#[allow(dead_code)]\nmod tests {\n    // }\n    const X: &str = \"}\\\"\";\n    const Y: &str = r#\"}\"#;\n    fn f<'a>(x: &'a str) {}\n    #[test]\n    fn a() { assert_eq!(1, 1) }\n}"
	const changed = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}"
	const added = "#[cfg(test)]\nmod more {}"
	for what, c := range map[string]struct{ base, work, want string }{
		"the product":         {a + old + "\n", b + old + "\n", ""},
		"the tests":           {a + old + "\n", a + changed + "\n" + b, a + old + "\n" + b},
		"the tests go":        {a + old + "\n", b, b + "\n" + old + "\n"},
		"tests are added":     {a + old + "\n", a + old + "\n" + added + "\n", ""},
		"none on the base":    {a, a + changed, ""},
		"a brace is not shut": {a + "#[cfg(test)]\nmod tests {\n", a + changed, ""},
	} {
		got, same, ok := mergeRust([]byte(c.base), []byte(c.work))
		if same {
			got = nil
		}
		if !ok || string(got) != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

func TestUnitTestsInTheProductJudge(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{"src/lib.rs": "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    const X: u8 = 1;\n}\n"}
	k, _ := change("cargo test", base, prooftest.Tree{"src/lib.rs": "fn a() { b() }\n\n#[cfg(test)]\nmod tests {\n    const X: u8 = 2;\n}\n"})
	got, err := k.Judges()
	if err != nil || len(got.Edits) != 1 || string(got.Edits[0].Data) != "fn a() { b() }\n\n#[cfg(test)]\nmod tests {\n    const X: u8 = 1;\n}\n" {
		t.Errorf("%+v %v", got, err)
	}
}
