package redgreen

import (
	"strings"
	"testing"

	"ralph/internal/proof"
)

const (
	romanBase = "//! Roman.\n\npub fn parse(t: &str) -> u32 {\n    t.len() as u32\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn plain() {\n        assert_eq!(parse(\"II\"), 2);\n    }\n}\n"
	romanWork = "//! Roman.\n\nmod write;\npub use write::write;\n\npub fn parse(t: &str) -> u32 {\n    1 + t.len() as u32\n}\n\nimpl From<u32> for N {\n    fn from<'a>(n: u32) -> N where N: 'a {\n        N('{')\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn more() {\n        assert_eq!(parse(\"II\"), 3);\n    }\n}\n"
)

// TestUndone: the product becomes that of the base. Sources of Rust that hold tests keep them,
// what these name, and nothing that the work's functions do.
func TestUndone(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"base": romanBase, "work": romanWork, "new": "/// It.\n///\n/// ```\n/// roman::write(1);\n/// ```\npub fn write(n: u32) -> String {\n    String::new()\n}\n",
		"plain": "pub fn a() {}\n", "other": "pub fn a() { b() }\n",
	}
	content := func(id string) ([]byte, error) { return []byte(texts[id]), nil }
	rust := func(id string) []proof.File {
		return []proof.File{{Path: "Cargo.toml", Mode: "100644", ID: "x"}, {Path: "src/lib.rs", Mode: "100644", ID: id}}
	}
	edits, err := UndoneBeside(rust("base"), append(rust("work"), proof.File{Path: "src/write.rs", Mode: "100644", ID: "new"}, proof.File{Path: "tests/a.rs", Mode: "100644", ID: "t"}, proof.File{Path: "a.py", Mode: "100644", ID: "plain"}), content)
	if err != nil || len(edits) != 3 {
		t.Fatal(edits, err)
	}
	if e := edits[0]; e.Path != "a.py" || e.Mode != "" || e.Data != nil {
		t.Errorf("%+v is not removed", e)
	}
	want := strings.Replace(strings.Replace(romanWork, "1 + t.len()", "t.len()", 1), "-> N where N: 'a {", "-> N where N: 'a { panic!(\""+hollowed+"\");", 1)
	if e := edits[1]; e.Path != "src/lib.rs" || e.Mode != "100644" || string(e.Data) != want {
		t.Errorf("%s is\n%s\nwant\n%s", e.Path, e.Data, want)
	}
	if e := edits[2]; e.Path != "src/write.rs" || string(e.Data) != strings.Replace(texts["new"], "String {", "String { panic!(\""+hollowed+"\");", 1) {
		t.Errorf("%s is\n%s", e.Path, e.Data)
	}
	python := func(id string) []proof.File { return []proof.File{{Path: "tax.py", Mode: "100644", ID: id}} }
	texts["old.py"] = "def a():\n    \"\"\"A.\"\"\"\n    return 1\n"
	texts["new.py"] = "def a():\n    \"\"\"A.\n\n    >>> a()\n    1\n    \"\"\"\n    return 1\n\n\ndef tax():\n    \"\"\"T.\n\n    >>> tax()\n    10\n    \"\"\"\n    return 10\n"
	want = strings.Replace(texts["new.py"], "    return 10", "    raise NotImplementedError(\""+hollowed+"\")\n    return 10", 1)
	if edits, err = UndoneBeside(python("old.py"), python("new.py"), content); err != nil || len(edits) != 1 || string(edits[0].Data) != want {
		t.Errorf("examples: %s, %v, want\n%s", edits[0].Data, err, want)
	}
	if edits, err = UndoneBeside(rust("plain"), rust("other"), content); err != nil || edits != nil {
		t.Errorf("without tests inside: %+v, %v", edits, err)
	}
	if edits = Undone(rust("plain"), rust("other")); len(edits) != 1 || edits[0].ID != "plain" {
		t.Errorf("as on the base: %+v", edits)
	}
}
