package judge

import "testing"

// TestProgramLine: what a command reads and writes is none of its programs.
func TestProgramLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"sed -i s/a/b/ tax.py":                      "",
		"printf x > src/tax.py":                     "",
		"sleep 4; echo x >> tax.py":                 "",
		"sh tools/rv.sh tax.py":                     "sh tools/rv.sh",
		"./tools/rv.sh tax.py":                      "./tools/rv.sh",
		"A=1 python3 -u rv.py tax.py":               "python3 -u rv.py",
		"python3 -m rvtool tax.py":                  "python3 -m rvtool",
		"cat >/dev/null; sh -c 'cd a && sh b.sh x'": "cd a && sh b.sh",
		"make review FILE=tax.py":                   "make review FILE=tax.py",
		"claude -p \"$(cat tools/prompt.md)\"":      "",
	} {
		if got := programLine(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
