package redgreen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherRust: other values, as the compiler takes them and the program gives them.
func TestOtherRust(t *testing.T) {
	t.Parallel()
	rustc, err := exec.LookPath("rustc")
	if err != nil {
		t.Skip("rustc is not installed")
	}
	const source = `
struct Shop {
    rate: u32,
}

impl Shop {
    fn of(&self, cents: u32) -> u32 {
        if cents == 0 {
            return 0;
        }
        self.rate * cents
    }
}

fn number(n: i32) -> i32 { n }
fn outer(n: i32) -> i32 { number(n) + 1 }
fn even(n: u8) -> bool { n % 2 == 0 }
fn add(n: u8) -> bool { !even(n) }
fn text(s: &str) -> String { s.to_string() }
fn first<'a>(s: &'a str) -> &'a str { s.split(' ').next().unwrap_or(s) }
fn letter(s: &str) -> char { s.chars().next().unwrap() }
fn half(mut f: f64) -> f64 { f /= 2.0; f }
fn parse(s: &str) -> Result<u8, std::num::ParseIntError> { let n: u8 = s.parse()?; Ok(n) }
fn found(s: &str) -> Option<(String, usize)> { s.find('b').map(|at| (s.to_string(), at)) }
fn all<T>(xs: Vec<T>) -> Vec<T> where T: Clone { xs.clone() }
fn some(n: i32) -> Option<Shop> { if n > 0 { Some(Shop { rate: 1 }) } else { None } }
`
	const program = `
fn main() {
    println!("{} {} {} {}", number(3), outer(1), even(2), add(2));
    println!("{} {} {} {}", text("abc"), first("a b"), letter("abc"), half(3.0));
    println!("{:?} {:?} {:?} {}", parse("3"), found("ab"), all(vec![1, 2]), some(1).is_some());
    println!("{} {}", Shop { rate: 19 }.of(2), Shop { rate: 19 }.of(0));
    let empty: Vec<u8> = Vec::new();
    all(empty);
}
`
	edits, err := others("src/a.rs", source)
	if err != nil || len(edits) != 1 {
		t.Fatalf("%v: %d edits", err, len(edits))
	}
	dir := t.TempDir()
	file, built := filepath.Join(dir, "main.rs"), filepath.Join(dir, "main")
	if err := os.WriteFile(file, append(edits[0].Data, program...), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), rustc, "--edition", "2021", "-o", built, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), built).CombinedOutput()
	const want = "4 3 false true\nabc~ ~ ~ 3.05\nOk(4) Some((\"ab~\", 1)) [1] false\n39 1\n"
	got, _, _ := strings.Cut(string(out), "\nthread")
	if err == nil || strings.TrimSpace(got) != strings.TrimSpace(want) || !strings.Contains(string(out), "no other value is known") {
		t.Errorf("%v: got\n%s\nwant\n%s", err, out, want)
	}
}

// TestOtherRustOfNone: what does more, or gives what ralph knows no other value of, is left
// as it is.
func TestOtherRustOfNone(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"it keeps":           "struct Bag { n: u32 }\n\nimpl Bag {\n    fn add(&mut self) -> u32 {\n        self.n += 1;\n        self.n\n    }\n}\n",
		"it prints":          "fn show(n: u32) -> u32 {\n    println!(\"{n}\");\n    n\n}\n",
		"it gives nothing":   "fn show(n: u32) {}\n\nfn of() -> u32 { 1 }\n",
		"its own type":       "fn of() -> Bag { Bag {} }\n",
		"a trait":            "fn of() -> impl Iterator<Item = u32> { 0..3 }\n",
		"it waits":           "async fn of() -> u32 { 1 }\n",
		"it is const":        "const fn of() -> u32 { 1 }\n",
		"only in unit tests": "#[cfg(test)]\nmod tests {\n    fn of() -> u32 { 1 }\n}\n",
	} {
		if edits, err := others("src/a.rs", source); err != nil || len(edits) > 0 {
			t.Errorf("%s: %v: %s", name, err, edits)
		}
	}
}
