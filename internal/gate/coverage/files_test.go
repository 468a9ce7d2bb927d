package coverage

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every format that tells of single files, and those that do not.
func TestFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want []File
		err  error
	}{
		"go profile":      {profile + "shop/b.go:1.1,2.2 4 0\n", []File{{"shop/b.go", 0, 4}, {"shop/cart.go", 3, 4}}, nil},
		"lcov":            {"SF:/x/a.c\nDA:1,1\nDA:2,0\nend_of_record\nSF:b.c\nLF:2\nLH:2\nend_of_record\nSF:b.c\nLF:2\nLH:0\nend_of_record\n", []File{{"/x/a.c", 1, 2}, {"b.c", 2, 2}, {"b.c", 0, 2}}, nil},
		"cobertura":       {`<coverage line-rate="1"><packages><package><classes><class filename="a.py"><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class><class filename="b:c.py"><lines><line number="1" hits="1"/></lines></class></classes></package></packages></coverage>`, []File{{"a.py", 1, 2}, {"b:c.py", 1, 1}}, nil},
		"cobertura, rate": {`<coverage line-rate="1"/>`, nil, errNoFiles},
		"istanbul":        {final, []File{{"/a.js", 1, 2}}, nil},
		"summary":         {`{"total":{"lines":{"total":4,"covered":3}},"/x/b.js":{"lines":{"total":1,"covered":1}},"/x/a.js":{"lines":{"total":3,"covered":2}}}`, []File{{"/x/a.js", 2, 3}, {"/x/b.js", 1, 1}}, nil},
		"summary, total":  {`{"total":{"lines":{"total":4,"covered":3}}}`, nil, errNoFiles},
		"jacoco":          {jacocoX + `<group name="g"><package name="com/acme"><class name="com/acme/A"><counter type="LINE" missed="9" covered="9"/></class><sourcefile name="A.java"><line nr="1"/><counter type="BRANCH" missed="7" covered="7"/><counter type="LINE" missed="1" covered="3"/></sourcefile><counter type="LINE" missed="1" covered="3"/></package></group><package name=""><sourcefile name="Main.java"><counter type="LINE" missed="2" covered="0"/></sourcefile></package></report>`, []File{{"com/acme/A.java", 3, 4}, {"Main.java", 0, 2}}, nil},
		"coverage.py":     {`{"files":{"b.py":{"summary":{"covered_lines":1,"num_statements":2}},"a.py":{"summary":{"covered_lines":0,"num_statements":1}}},"totals":{"covered_lines":1,"num_statements":3}}`, []File{{"a.py", 0, 1}, {"b.py", 1, 2}}, nil},
		"simplecov":       {`{"result":{"line":71.2}}`, nil, errNoFiles},
		"simplecov set":   {`{"RSpec":{"coverage":{"/a.rb":{"lines":[null,1,0]}},"timestamp":1},"Cucumber":{"coverage":{"/a.rb":[null,0,2],"/b.rb":[0]},"timestamp":2}}`, []File{{"/a.rb", 2, 2}, {"/b.rb", 0, 1}}, nil},
		"clover":          {`<coverage><project><package><file name="A.php" path="/x/A.php"><class><metrics statements="9" coveredstatements="9"/></class><metrics statements="4" coveredstatements="1"/></file></package><file name="/x/B.php"><metrics statements="2" coveredstatements="2"/></file></project></coverage>`, []File{{"/x/A.php", 1, 4}, {"/x/B.php", 2, 2}}, nil},
		"llvm-cov":        {`{"data":[{"files":[{"filename":"/x/a.rs","summary":{"lines":{"count":4,"covered":3}}}],"totals":{"lines":{"count":4,"covered":3}}}]}`, []File{{"/x/a.rs", 3, 4}}, nil},
		"text":            {"TOTAL 4 1 75%\n", nil, errNoFiles},
		"prose":           {"hello", nil, errNoFiles},
		"other JSON":      {`{"name":"x"}`, nil, ErrUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := Files([]byte(c.in))
			if !errors.Is(err, c.err) {
				t.Fatalf("got %v, %v", got, err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"SF:a\nDA:1,1\n", `<coverage line-rate="1"><x>`, `{"total":{"lines":{}},"/a.js":{"lines":{"pct":75}}}`,
		`{"totals":{},"files":{"a.py":{"summary":{}}}}`, `{"data":[]}`, `{"total":`, "mode: set\na.go:1.1,2.2 1",
		jacocoX + `<package name="p"><sourcefile name="A"><counter type="LINE" missed="x" covered="1"/></sourcefile></package></report>`,
	} {
		if got, _, err := Files([]byte(in)); err == nil {
			t.Errorf("%q has files: %v", in, got)
		}
	}
	if _, _, err := Files(make([]byte, MaxSize+1)); err == nil {
		t.Error("a report of more than 64 MiB")
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	if v, err := Sum([]File{{"a", 1, 2}, {"b", 2, 2}}, "x"); err != nil || v.Percent != 75 || v.Format != "x" {
		t.Errorf("%v, %v", v, err)
	}
	for _, bad := range [][]File{nil, {{"a", 0, 0}}, {{"a", 3, 2}}, {{"a", -1, 2}}} {
		if v, err := Sum(bad, "x"); err == nil {
			t.Errorf("%v: %v", bad, v)
		}
	}
}

// Whatever is read of single files, their sum is a percentage or an error, and
// it is the total's where the total is counted from the same lines.
func FuzzFiles(f *testing.F) {
	for _, s := range []string{
		profile, final, jacocoX + `<package name="p"><sourcefile name="A"><counter type="LINE" missed="1" covered="3"/></sourcefile></package></report>`,
		`<coverage><project><file name="a"><metrics statements="4" coveredstatements="3"/></file></project></coverage>`,
		`<coverage line-rate="1"><class filename="a"><lines><line number="1" hits="1"/></lines></class></coverage>`,
		"SF:a\nDA:1,1\nend_of_record\n", `{"total":{"lines":{"pct":75}},"a":{"lines":{"total":1,"covered":1}}}`,
		`{"totals":{"percent_covered":71.5},"files":{"a":{"summary":{"covered_lines":1,"num_statements":1}}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		files, format, err := Files(in)
		if err != nil {
			return
		}
		v, err := Sum(files, format)
		if err == nil && (math.IsNaN(v.Percent) || v.Percent < 0 || v.Percent > 100) {
			t.Errorf("%+v", v)
		}
		if total, err2 := Parse(in); format == "LCOV" && (err == nil) != (err2 == nil) && !errors.Is(err2, ErrEmpty) || err == nil && err2 == nil && format == GoProfile && v != total {
			t.Errorf("files say %+v (%v), the total %+v (%v)", v, err, total, err2)
		}
	})
}
