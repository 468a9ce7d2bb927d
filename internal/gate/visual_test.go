package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/loop"
)

func TestVisual(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files  map[string]string
		gate   loop.Gate
		want   loop.Verdict
		reason string
	}{
		"no folder":          {want: loop.Failed, reason: "0 images in shots, 1 needed"},
		"no images":          {files: map[string]string{"shots/notes.txt": "x"}, want: loop.Failed, reason: "0 images in shots, 1 needed"},
		"none needed":        {gate: loop.Gate{MinImages: new(0)}, want: loop.Passed, reason: "0 images verified"},
		"one":                {files: map[string]string{"shots/verified-a.png": "x"}, want: loop.Passed, reason: "1 image verified"},
		"too few":            {files: map[string]string{"shots/verified-a.png": "x"}, gate: loop.Gate{MinImages: new(2)}, want: loop.Failed, reason: "1 image in shots, 2 needed"},
		"all kinds, deep":    {files: map[string]string{"shots/verified-a.PNG": "x", "shots/b/verified-c.JpEg": "x", "shots/verified-d.webp": "x", "shots/verified-e.gif": "x", "shots/verified-f.jpg": "x"}, gate: loop.Gate{MinImages: new(5)}, want: loop.Passed, reason: "5 images verified"},
		"one without":        {files: map[string]string{"shots/verified-a.png": "x", "shots/b.PNG": "x"}, want: loop.Failed, reason: "1 of 2 images are not verified: shots/b.PNG"},
		"mark in the middle": {files: map[string]string{"shots/not-verified-a.png": "x"}, want: loop.Failed, reason: "1 of 1 images are not verified: .*"},
		"capital mark":       {files: map[string]string{"shots/Verified-a.png": "x"}, want: loop.Failed, reason: "1 of 1 images are not verified: .*"},
		"marked folder":      {files: map[string]string{"shots/verified-/a.png": "x"}, want: loop.Failed, reason: "1 of 1 images are not verified: .*"},
		"command fails":      {files: map[string]string{"shots/verified-a.png": "x"}, gate: loop.Gate{Run: "exit 4"}, want: loop.Failed, reason: "exit code 4"},
		"command takes one":  {gate: loop.Gate{Run: "mkdir shots; echo x > shots/new.png"}, want: loop.Failed, reason: "1 of 1 images are not verified: shots/new.png"},
		"outside":            {gate: loop.Gate{Images: "../x"}, want: loop.Error, reason: ".*is not inside the tree"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.files)
			c.gate.Kind = loop.KindVisual
			if c.gate.Images == "" {
				c.gate.Images = "shots"
			}
			want(t, p.run(c.gate), c.want, c.reason)
		})
	}
}

// A picture that changes loses its mark, keeps it lost, and gets it back only
// by going through a name without it.
func TestChangedPictureLosesItsMark(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"screenshots/verified-a.png": "one"})
	g := loop.Gate{Kind: loop.KindVisual, Run: "echo '" + digestHead + "'"}
	file := filepath.Join(p.tree, "screenshots", "verified-a.png")
	plain := filepath.Join(p.tree, "screenshots", "a.png")
	previous := p.run(g)
	want(t, previous, loop.Passed, "1 image verified")
	next := func(v loop.Verdict, reason string) {
		t.Helper()
		digests, err := ReadDigests(previous)
		if err != nil || len(digests) != 1 {
			t.Fatalf("%v, %v", digests, err)
		}
		r := p.request(g)
		r.Digests = digests
		previous = p.do(r)
		want(t, previous, v, reason)
	}
	next(loop.Passed, "1 image verified")
	p.write("screenshots/verified-a.png", "two")
	next(loop.Failed, "1 of 1 images changed after they were verified: screenshots/verified-a.png")
	next(loop.Failed, "1 of 1 images changed after .*")
	p.write("screenshots/verified-a.png", "one")
	next(loop.Passed, "1 image verified")
	p.write("screenshots/verified-a.png", "three")
	if err := os.Rename(file, plain); err != nil {
		t.Fatal(err)
	}
	next(loop.Failed, "1 of 1 images are not verified: .*")
	if err := os.Rename(plain, file); err != nil {
		t.Fatal(err)
	}
	next(loop.Passed, "1 image verified")
}

func TestBaselineRemembersDigests(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"screenshots/verified-a.png": "one"})
	g := loop.Gate{Kind: loop.KindVisual}
	base := p.run(g)
	p.write("screenshots/verified-a.png", "two")
	r := p.request(g)
	r.Baseline = &base
	want(t, p.do(r), loop.Failed, "1 of 1 images changed after .*")
	if err := os.WriteFile(base.OutputFile, []byte("forged"), 0o600); err != nil {
		t.Fatal(err)
	}
	r = p.request(g)
	r.Baseline = &base
	want(t, p.do(r), loop.Error, "read recorded images: .* was changed since")
}

func TestHostileImages(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"screenshots/verified-a\nb \"c\".png": "x"})
	res := p.run(loop.Gate{Kind: loop.KindVisual})
	if d, err := ReadDigests(res); err != nil || len(d) != 1 || d["screenshots/verified-a\nb \"c\".png"] == "" {
		t.Errorf("%v, %v", d, err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(p.tree, "screenshots", "verified-l.png")); err != nil {
		t.Fatal(err)
	}
	if res := p.run(loop.Gate{Kind: loop.KindVisual}); res.Verdict != loop.Error {
		t.Errorf("a link out of the tree: %+v", res)
	}
	p = newPlace(t, nil)
	for i := range maxImages + 1 {
		p.write("screenshots/verified-"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676))+".png", "")
	}
	want(t, p.run(loop.Gate{Kind: loop.KindVisual}), loop.Error, "more than 1000 images in screenshots")
}
