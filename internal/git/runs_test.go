package git

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRuns(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for key, value := range map[string]string{
		"core.hooksPath":      "hooks.d",
		"core.fsmonitor":      "false",
		"include.path":        "../.gitconfig",
		"alias.lint":          "!sh ./tools/lint.sh --all",
		"alias.co":            "checkout",
		"filter.big.clean":    filepath.Join(f.dir, "tools", "clean") + " %f",
		"diff.img.textconv":   "/usr/bin/exif",
		"core.editor":         "vim",
		"merge.theirs.driver": "tools/merge %A %B",
		"credential.helper":   "store",
		"includeIf.x.path":    filepath.Join(f.home, "other"),
		"core.excludesFile":   "tools/ignored",
		"user.signingKey":     "tools/key",
		"remote.origin.url":   "tools/origin",
		"submodule.a.url":     "tools/a",
		"mergetool.mine.cmd":  "\"tools/mine\" $LOCAL",
		"core.attributesFile": "tools/attributes",
		"gpg.program":         "../gpg.sh",
		"branch.main.remote":  "origin",
		"difftool.mine.path":  "tools/dt",
		"commit.template":     "tools/template",
		"sequence.editor":     "true",
		"uploadpack.hideRefs": "x/y",
		"pager.log":           "false",
	} {
		f.git("config", key, value)
	}
	r := f.Repo
	got, err := r.Runs(f.ctx())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".gitconfig", "gpg.sh", "hooks.d", "tools/clean", "tools/dt", "tools/lint.sh", "tools/merge", "tools/mine"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
