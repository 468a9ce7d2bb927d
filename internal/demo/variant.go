package demo

// Variant is the project for one test runner.
type Variant struct {
	// Name is the program that must be there.
	Name string
	// Probe is a command that exits 0 where the variant works. What it prints is
	// where the program really is, behind the scripts of version managers, which
	// would take most of the demonstration's time.
	Probe []string
	// Tests is the command line without the file of the tests.
	Tests string
	// prefix and suffix make the file of the tests of a story's name.
	prefix, suffix string
}

// Variants are all of them, the preferred one first.
func Variants() []Variant {
	return []Variant{
		{
			Name:  "python3",
			Probe: []string{"python3", "-c", "import sys, unittest; print(sys.executable); sys.exit(sys.version_info < (3, 8))"},
			Tests: "python3 -m unittest", prefix: "test_", suffix: ".py",
		},
		{
			Name:  "node",
			Probe: []string{"node", "-e", "console.log(process.execPath); process.exitCode = parseInt(process.versions.node) < 20 ? 1 : 0"},
			Tests: "node --test", suffix: ".test.mjs",
		},
		{
			Name:  "sh",
			Probe: []string{"sh", "-c", "printf x | tr x y | sed s/y/z/ | cut -c 2"},
			Tests: "sh", prefix: "test_", suffix: ".sh",
		},
	}
}

// Test is the command line that tests one story: its gate.
func (v Variant) Test(s Story) string { return v.Tests + " " + v.prefix + s.Name + v.suffix }
