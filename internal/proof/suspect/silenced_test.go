package suspect

import (
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

func TestWaivedTypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, line string
		named      bool
	}{
		{"a.ts", `return ("0" as any);`, true},
		{"a.ts", `const n = x as any`, true},
		{"a.tsx", `return "0" as unknown as number;`, true},
		{"a.ts", `export function tax(c: number): any {`, true},
		{"a.ts", `const f = async (c: number): Promise<any> => c;`, true},
		{"a.mts", `return <any>x;`, true},
		{"a.ts", `// cast as any, since it is one`, false},
		{"a.ts", `const colours = ["a"] as const;`, false},
		{"a.ts", `const n = x as Company;`, false},
		{"a.ts", `} catch (e: any) {`, false},
		{"a.ts", `function f(c: unknown): anyone {`, false},
		{"a.ts", `return find(c)!.rate;`, true},
		{"a.ts", `const first = rates[0]!;`, true},
		{"a.ts", `use(rates!, cents!)`, true},
		{"a.ts", `export function tax(c: any): number {`, true},
		{"a.ts", `let rate: any = "19";`, true},
		{"a.ts", `const f = (a: number, ...b: any[]) => a;`, true},
		{"a.ts", `if (a !== b && !c) return !d;`, false},
		{"a.ts", "log(\"Done!\", 'Hi!, you', `Oh!.`, a != b);", false},
		{"a.ts", `const at = { c: company };`, false},
		{"a.js", `x as any;`, false},
		{"a.py", `def tax(c: int) -> Any:`, true},
		{"a.py", `    rate: typing.Any = "19"`, true},
		{"a.py", `    return typing.cast(int, "0")`, true},
		{"a.py", "from typing import Any, cast\nreturn cast(int, '0')", true},
		{"a.py", "from sqlalchemy import cast\nreturn cast(column, Integer)", false},
		{"a.py", `def load(text: str) -> dict[str, Any]:`, false},
		{"a.py", `def log(*args: Any, **kwargs: Any) -> None:`, false},
		{"a.py", `def tax(c: Any) -> int:`, true},
		{"a.py", `    def tax(self, at: date, c: typing.Any = None) -> int:`, true},
		{"a.go", `func f() any { return x }`, false},
	} {
		for _, duties := range []judge.Duties{{Inspects: true, Lints: true}, {Inspects: true, Lints: true, ChecksTypes: true}} {
			found := silencedIn(c.file, c.line+"\n", duties, map[string]bool{})
			if want := c.named && duties.ChecksTypes; len(found) > 0 != want {
				t.Errorf("%s: %s: %v, want %v", c.file, c.line, found, want)
			}
		}
		old := map[string]bool{}
		syntax.AddLines(old, c.line)
		if found := silencedIn(c.file, c.line+"\n", judge.Duties{ChecksTypes: true}, old); len(found) > 0 {
			t.Errorf("%s: %s: %v, as before", c.file, c.line, found)
		}
	}
}
