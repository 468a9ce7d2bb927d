package judge

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// TestCompiledPrograms: the sources of a program that a gate builds to check the product
// judge; the product that it is linked with, and a program that is the product, do not.
func TestCompiledPrograms(t *testing.T) {
	t.Parallel()
	const (
		judges  = true
		work    = false
		c       = "int tax(int);\n\nint main(void)\n{\n\treturn tax(50) != 10 || tax(150) != 29;\n}\n"
		askingC = "int main(int argc, char **argv)\n{\n\tprintf(\"%d\\n\", tax(atoi(argv[1])));\n\treturn 0;\n}\n"
		plainC  = "int tax(int c) { return c * 19 / 100; }\n"
		rust    = "fn main() {\n    assert_eq!(shop::tax(50), 10);\n}\n"
		asking  = "fn main() {\n    assert!(true);\n    println!(\"{}\", shop::tax(std::env::args().count()));\n}\n"
		java    = "public class Check { public static void main(String[] a) { if (Tax.tax(50) != 10) throw new RuntimeException(); } }\n"
		app     = "public class App { public static void main(String[] args) { System.out.println(Tax.tax(args.length)); } }\n"
		golang  = "package main\n\nfunc main() {\n\tif shop.Tax(50) != 10 {\n\t\tpanic(50)\n\t}\n}\n"
	)
	make := func(source string) prooftest.Tree {
		return prooftest.Tree{"Makefile": "check: t\n\t./t\n\nt: " + source + " src/tax.c\n\t$(CC) -o t " + source + " src/tax.c\n", "src/tax.c": plainC, source: c}
	}
	cargo := func(more prooftest.Tree) prooftest.Tree {
		out := prooftest.Tree{"Cargo.toml": "[package]\nname = \"shop\"\n", "src/lib.rs": "pub fn tax() {}"}
		maps.Copy(out, more)
		return out
	}
	for what, k := range map[string]struct {
		gate    string
		base    prooftest.Tree
		changed string
		want    bool
	}{
		"make":                        {"make check", make("check/check.c"), "check/check.c", judges},
		"a name that tells nothing":   {"make check", make("t0/tax.c"), "t0/tax.c", judges},
		"check_ in the name":          {"make check", make("src/check_tax.c"), "src/check_tax.c", judges},
		"selftest":                    {"make check", make("src/selftest.c"), "src/selftest.c", judges},
		"the product beside it":       {"make check", make("check/check.c"), "src/tax.c", work},
		"another goal":                {"make -f Makefile other", prooftest.Tree{"Makefile": "check:\n\tcc odd.c\nother:\n\ttrue\n", "odd.c": c}, "odd.c", work},
		"a pattern":                   {"make test", prooftest.Tree{"Makefile": "test: t\n\t./t\nt: $(wildcard *.c)\n\t$(CC) -o t $^\n", "odd.c": c, "tax.c": plainC}, "odd.c", judges},
		"the product of a pattern":    {"make test", prooftest.Tree{"Makefile": "test: t\n\t./t\nt: $(wildcard *.c)\n\t$(CC) -o t $^\n", "odd.c": c, "tax.c": plainC}, "tax.c", work},
		"an object":                   {"make test", prooftest.Tree{"Makefile": "OBJS = $(D)/odd.o tax.o\ntest: t\n\t./t\nt: $(OBJS)\n\t$(CC) -o t $^\n", "sub/odd.c": c}, "sub/odd.c", judges},
		"by a rule of make's own":     {"make odd && ./odd", prooftest.Tree{"Makefile": "CFLAGS = -O2\n", "odd.c": c}, "odd.c", judges},
		"a script":                    {"sh ci.sh", prooftest.Tree{"ci.sh": "cc -o t \\\n  odd.c tax.c\n./t\n", "odd.c": c, "tax.c": plainC}, "odd.c", judges},
		"a pattern of the command":    {"gcc -o t *.c && ./t", prooftest.Tree{"odd.c": c, "tax.c": plainC}, "odd.c", judges},
		"a program of the product":    {"make test", prooftest.Tree{"Makefile": "tax: main.c tax.c\n\t$(CC) -o tax main.c tax.c\ntest: tax\n\t./tax 150 | grep -qx 29\n", "main.c": askingC, "tax.c": plainC}, "main.c", work},
		"a type checker":              {"make test", prooftest.Tree{"Makefile": "comp: main.c check.c\n\t$(CC) -o comp main.c check.c\ntest: comp\n\t./comp a | diff - b\n", "main.c": askingC, "check.c": plainC}, "check.c", work},
		"one beside another check":    {"make test", prooftest.Tree{"Makefile": "t: t0/run.c src/check.c\n\t$(CC) -o t t0/run.c src/check.c\ntest: t\n\t./t\n", "t0/run.c": c, "src/check.c": plainC}, "src/check.c", work},
		"a header of a check":         {"make check", prooftest.Tree{"Makefile": "check:\n\tcc check/check.c tax.c && ./a.out\n", "check/check.c": c, "check/cases.h": "1", "tax.c": plainC}, "check/cases.h", judges},
		"data of a check":             {"make check", prooftest.Tree{"Makefile": "check:\n\tcc odd.c tax.c && ./a.out\n", "odd.c": c + "fopen(\"cases.txt\")", "cases.txt": "1", "tax.c": plainC}, "cases.txt", judges},
		"cargo --bin":                 {"cargo run -q --bin odd", cargo(prooftest.Tree{"src/bin/odd.rs": rust}), "src/bin/odd.rs", judges},
		"cargo --example":             {"cargo +stable r --example=odd -- x", cargo(prooftest.Tree{"examples/odd.rs": rust}), "examples/odd.rs", judges},
		"another example":             {"cargo run --example odd", cargo(prooftest.Tree{"examples/odd.rs": rust, "examples/more.rs": rust}), "examples/more.rs", work},
		"a folder of an example":      {"cargo run --example odd", cargo(prooftest.Tree{"examples/odd/main.rs": "mod cases;\n" + rust, "examples/odd/cases.rs": "1"}), "examples/odd/cases.rs", judges},
		"the library":                 {"cargo run --bin odd", cargo(prooftest.Tree{"src/bin/odd.rs": rust}), "src/lib.rs", work},
		"a listed program":            {"cargo run --bin odd", cargo(prooftest.Tree{"Cargo.toml": "[package]\nname = \"shop\"\n[[bin]]\nname = \"odd\"\npath = \"probe/odd.rs\"\n", "probe/odd.rs": rust}), "probe/odd.rs", judges},
		"a program that asks":         {"cargo run --bin odd -- 150", cargo(prooftest.Tree{"src/bin/odd.rs": asking}), "src/bin/odd.rs", work},
		"one that asks, by its name":  {"cargo run --bin check -- all", cargo(prooftest.Tree{"src/bin/check.rs": asking}), "src/bin/check.rs", judges},
		"a program that is compared":  {"cargo run --bin odd | grep -qx 29", cargo(prooftest.Tree{"src/bin/odd.rs": rust}), "src/bin/odd.rs", work},
		"a package of the workspace":  {"cargo run -p xtask -- check", cargo(prooftest.Tree{"xtask/Cargo.toml": "[package]\nname = \"xtask\"\n[dependencies]\nshop = { path = \"..\" }\n", "xtask/src/main.rs": asking, "xtask/src/all.rs": "1"}), "xtask/src/all.rs", judges},
		"its product":                 {"cargo run -p xtask -- check", cargo(prooftest.Tree{"xtask/Cargo.toml": "[package]\nname = \"xtask\"\n[dependencies]\nshop = { path = \"..\" }\n", "xtask/src/main.rs": asking}), "src/lib.rs", work},
		"an alias":                    {"cargo ready", cargo(prooftest.Tree{".cargo/config.toml": "[alias]\nready = [\"run\", \"--package\", \"probe\"]\n", "probe/Cargo.toml": "[package]\nname = \"probe\"\n", "probe/src/main.rs": rust}), "probe/src/main.rs", judges},
		"another manifest":            {"cargo run --manifest-path probe/Cargo.toml", cargo(prooftest.Tree{"probe/Cargo.toml": "[package]\nname = \"p\"\n", "probe/src/main.rs": rust}), "probe/src/main.rs", judges},
		"cargo by make":               {"make test", cargo(prooftest.Tree{"Makefile": "test:\n\t@cargo run --bin odd\n", "src/bin/odd.rs": rust}), "src/bin/odd.rs", judges},
		"rustc":                       {"make test", prooftest.Tree{"Makefile": "test:\n\trustc odd.rs && ./odd\n", "odd.rs": "fn main() { assert_eq!(tax(50), 10); }"}, "odd.rs", judges},
		"cargo tests":                 {"cargo test", cargo(prooftest.Tree{"src/bin/odd.rs": rust}), "src/bin/odd.rs", work},
		"java":                        {"javac -d out *.java && java -cp out Check", prooftest.Tree{"Check.java": java, "Tax.java": "class Tax {}"}, "Check.java", judges},
		"java by make":                {"make test", prooftest.Tree{"Makefile": "test:\n\tjavac -d out src/*.java\n\tjava -cp out shop.Odd\n", "src/shop/Odd.java": java, "src/Tax.java": "class Tax {}"}, "src/shop/Odd.java", judges},
		"the product of java":         {"javac -d out *.java && java -cp out Check", prooftest.Tree{"Check.java": java, "Tax.java": "class Tax {}"}, "Tax.java", work},
		"a program of java that asks": {"javac -d out *.java && java -cp out App 150", prooftest.Tree{"App.java": app}, "App.java", work},
		"go by make":                  {"make test", prooftest.Tree{"Makefile": "test:\n\tgo run ./internal/odd\n", "internal/odd/main.go": golang, "tax.go": "package shop"}, "internal/odd/main.go", judges},
		"go that is the product":      {"make test", prooftest.Tree{"Makefile": "test:\n\tgo run ./cmd/shop 150 | grep -qx 29\n", "cmd/shop/main.go": golang}, "cmd/shop/main.go", work},
	} {
		one, _ := change(k.gate, k.base, prooftest.Tree{k.changed: "changed"})
		got, err := one.Judges()
		var want []string
		if k.want {
			want = []string{k.changed}
		}
		if d := cmp.Diff(want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}

// TestProgramsInDoubt: a program that a gate runs, and of which it is unknown whether it is
// the product, is named.
func TestProgramsInDoubt(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"Makefile":    "check: t\n\t./t all\nt: src/check.c src/tax.c\n\t$(CC) -o t src/check.c src/tax.c\n",
		"src/check.c": "int main(int argc, char **argv) { return run(argv[1]); }", "src/tax.c": "int tax(int c) { return 1; }",
		"Cargo.toml": "[package]\nname = \"shop\"\n", "src/lib.rs": "x", "src/bin/odd.rs": "fn main() { shop::run(); }", "src/bin/shop.rs": "fn main() { shop::run(std::env::args()); }",
	}
	for gate, want := range map[string][]string{
		"make check":                        {"src/check.c"},
		"cargo run --bin odd":               {"src/bin/odd.rs"},
		"cargo run --bin odd | grep -qx 29": nil,
		"cargo run --bin shop -- 150":       nil,
		"cargo test":                        nil,
	} {
		k, s := change(gate, base, prooftest.Tree{"src/check.c": "y", "src/tax.c": "y", "src/bin/odd.rs": "y", "src/bin/shop.rs": "y", "src/lib.rs": "y"})
		got, err := Obeyed{Base: k.Base, Work: k.Work, Gates: []string{gate}, Content: s.Read}.Find()
		for i, w := range want {
			want[i] = fmt.Sprintf("%s (a gate builds and runs it, and may judge by it)", w)
		}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", gate, err, d)
		}
	}
}

// TestHelperCrates: a crate that only tests of others use judges, one that is tested or used
// does not.
func TestHelperCrates(t *testing.T) {
	t.Parallel()
	const helper = "tools/same/src/lib.rs"
	base := prooftest.Tree{
		"Cargo.toml": "[package]\nname = \"shop\"\n[dev-dependencies]\nsame = { path = \"tools/same\" }\n", "src/lib.rs": "x",
		"tools/same/Cargo.toml": "[package]\nname = \"same\"\n", helper: "pub fn same(a: i64, b: i64) -> bool { a == b }",
	}
	for what, c := range map[string]struct {
		files prooftest.Tree
		want  bool
	}{
		"only tests use it":           {nil, true},
		"of the workspace":            {prooftest.Tree{"Cargo.toml": "[package]\nname = \"shop\"\n[workspace.dependencies]\nsame = { path = \"tools/same\" }\n[dev-dependencies]\nsame.workspace = true\n"}, true},
		"the product uses it":         {prooftest.Tree{"Cargo.toml": "[package]\nname = \"shop\"\n[dependencies]\nsame = { path = \"tools/same\" }\n"}, false},
		"another crate uses it":       {prooftest.Tree{"more/Cargo.toml": "[package]\nname = \"more\"\n[target.'cfg(unix)'.dependencies]\nsame = { path = \"../tools/same\" }\n"}, false},
		"it has tests of its own":     {prooftest.Tree{"tools/same/src/more.rs": "#[cfg(test)]\nmod tests {\n#[test]\nfn a() {}\n}"}, false},
		"it has files of tests":       {prooftest.Tree{"tools/same/tests/a.rs": "x"}, false},
		"it is a program":             {prooftest.Tree{"tools/same/src/main.rs": "fn main() {}"}, false},
		"the tests are a crate apart": {prooftest.Tree{"src/lib.rs": "", "Cargo.toml": "[package]\nname = \"shop\"\n[[test]]\nname = \"all\"\npath = \"all.rs\"\n[dev-dependencies]\nsame = { path = \"tools/same\" }\n"}, false},
		"nothing uses it":             {prooftest.Tree{"Cargo.toml": "[package]\nname = \"shop\"\n"}, false},
		"a manifest that is no TOML":  {prooftest.Tree{"more/Cargo.toml": "["}, true},
	} {
		files := prooftest.Tree{}
		for _, from := range []prooftest.Tree{base, c.files} {
			for p, text := range from {
				if files[p] = text; text == "" {
					delete(files, p)
				}
			}
		}
		k, _ := change("cargo test", files, prooftest.Tree{helper: "changed"})
		got, err := k.Judges()
		var want []string
		if c.want {
			want = []string{helper}
		}
		if d := cmp.Diff(want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}
