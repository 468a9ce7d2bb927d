package testout

import (
	"os"
	"path/filepath"
	"testing"
)

func seeds(f *testing.F, pattern string) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		in, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(in)
	}
}

func sound(t *testing.T, r Report) {
	if r.Run < 0 || r.Failed < 0 || r.Skipped < 0 || r.Failed > r.Run || len(r.Failures) > r.Failed {
		t.Errorf("counts contradict each other: %+v", r)
	}
	for _, x := range r.Failures {
		if len(x.ID) > maxText || len(x.Line) > maxText {
			t.Errorf("a long failure: %d, %d", len(x.ID), len(x.Line))
		}
	}
}

func FuzzParse(f *testing.F) {
	seeds(f, "testdata/*.t*")
	seeds(f, "testdata/*.json")
	seeds(f, "testdata/*.spec")
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, format := range []Format{Auto, GoTest, TAP, Node, Pytest, Unittest, Cargo, Jest, Generic} {
			r, _ := Parse(in, format)
			sound(t, r)
		}
	})
}

func FuzzRSpecJSON(f *testing.F) {
	seeds(f, "testdata/*.rspecjson")
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := RSpecJSON(in)
		if err == nil {
			sound(t, r)
		}
	})
}

func FuzzJUnit(f *testing.F) {
	seeds(f, "testdata/*.xml")
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := JUnitXML(in)
		if err == nil {
			sound(t, r)
		}
	})
}
