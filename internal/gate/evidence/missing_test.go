package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMissing(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"ModuleNotFoundError: No module named 'shop.cart'":                           {"shop.cart"},
		"/usr/bin/python3: No module named pytest":                                   {"pytest"},
		"ImportError: cannot import name 'total' from 'shop' (/x/shop.py)":           {"total", "shop"},
		"NameError: name 'price' is not defined":                                     {"price"},
		"FileNotFoundError: [Errno 2] No such file or directory: 'data/a.csv'":       {"data/a.csv"},
		"AttributeError: module 'shop' has no attribute 'total'":                     {"shop", "total"},
		"E       fixture 'client' not found":                                         {"client"},
		"broken/b.go:3:23: undefined: Gone":                                          {"Gone"},
		"a.go:3:4: undefined: cart.Total":                                            {"cart.Total"},
		"a.go:3:4: c.Total undefined (type Cart has no field or method Total)":       {"c.Total"},
		`a.go:3:8: cannot find package "example.test/x" in any of:`:                  {"example.test/x"},
		"a.go:3:8: package foo/bar is not in std (/usr/local/go/src/foo/bar)":        {"foo/bar"},
		"a.go:3:8: no required module provides package example.test/x; to add it:":   {"example.test/x"},
		"open testdata/in.json: no such file or directory":                           {"testdata/in.json"},
		"Error: Cannot find module './nothere'":                                      {"./nothere"},
		"ReferenceError: total is not defined":                                       {"total"},
		"Error: ENOENT: no such file or directory, open 'a/b.json'":                  {"a/b.json"},
		`Failed to resolve import "./cart" from "src/a.ts".`:                         {"./cart"},
		"src/a.ts(1,2): error TS2304: Cannot find name 'total'.":                     {"total"},
		"src/a.ts(1,2): error TS2339: Property 'sum' does not exist on type 'Cart'.": {"sum"},
		"error[E0425]: cannot find function `gone` in this scope":                    {"gone"},
		"error[E0432]: unresolved import `crate::cart`":                              {"crate::cart"},
		"error[E0433]: failed to resolve: use of undeclared crate or module `serde`": {"serde"},
		"  symbol:   class Cart":                                                     {"Cart"},
		"A.java:3: error: package org.x does not exist":                              {"org.x"},
		"e: a.kt:3:4 Unresolved reference: total":                                    {"total"},
		"a.c:1:10: fatal error: cart.h: No such file or directory":                   {"cart.h"},
		"ld: a.o: undefined reference to `total'":                                    {"total"},
		"uninitialized constant Shop::Cart (NameError)":                              {"Shop::Cart"},
		"cannot load such file -- shop/cart (LoadError)":                             {"shop/cart"},
		`PHP Fatal error:  Uncaught Error: Class "Cart" not found in /x`:             {"Cart"},
		"cat: notes.txt: No such file or directory":                                  {"notes.txt"},
		"sh: 1: golangci-lint: not found":                                            {"golangci-lint"},
		"bash: line 1: jq: command not found":                                        {"jq"},
		"sh: 0: cannot open scripts/x.sh: No such file":                              nil,
		"AssertionError: 200 != 401":                                                 nil,
		"":                                                                           nil,
	} {
		if d := cmp.Diff(want, missing([]string{line})); d != "" {
			t.Errorf("%q: %s", line, d)
		}
	}
}

func TestMissingIsShort(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("undefined: X%d", i/2))
	}
	if got := missing(many); len(got) != 10 || got[0] != "X0" || got[9] != "X9" {
		t.Errorf("got %q", got)
	}
	if got := missing([]string{"undefined: " + strings.Repeat("x", 201)}); got != nil {
		t.Errorf("a name of 201 bytes: %q", got)
	}
	if got := missing([]string{"open /wt/a.txt: no such file or directory", "undefined: a.txt"}, "/wt/"); len(got) != 1 || got[0] != "a.txt" {
		t.Errorf("root kept: %q", got)
	}
}

func FuzzMissing(f *testing.F) {
	f.Add("open x: no such file or directory")
	f.Fuzz(func(t *testing.T, line string) {
		for _, n := range missing([]string{line}) {
			if n == "" || len(n) > 200 {
				t.Errorf("name %q", n)
			}
		}
	})
}

// missing returns the files and symbols that the lines report as missing, in
// order, at most 10. It is empty where the failure is not about missing
// information.
func missing(lines []string, roots ...string) []string {
	var m lack
	for _, l := range lines {
		m.add(l)
	}
	return m.names(roots)
}
