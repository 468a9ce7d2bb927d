package git

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ralph/internal/testing/tier"
)

// TestObjectsAgreeWithGit: what is read from files is what git says, for any history.
func TestObjectsAgreeWithGit(t *testing.T) {
	t.Parallel()
	seeds := uint64(2)
	if tier.Long() {
		seeds = 40
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			commits := grow(f, rand.New(rand.NewPCG(seed, 1)))
			f.agrees(commits)
			for _, c := range commits {
				f.git("update-ref", "refs/heads/of/"+c, c)
			}
			f.git("gc", "-q", "--prune=now")
			f.Repo = f.open(f.dir) // one that knows nothing
			for _, c := range commits {
				if files, ok := f.looseFiles(c); ok {
					t.Errorf("files of a commit in a pack: %q", files)
				}
			}
		})
	}
}

// grow makes commits that add, change, remove and replace files, links and folders.
func grow(f *fixture, random *rand.Rand) []string {
	names := []string{"a", "a.b", "a/b", "a/b/c", "a-b", "z/ü", "z/\"q\"", "z", "run", "tab\tname"}
	commits := []string{f.base}
	for n := range 6 {
		for range 1 + random.IntN(4) {
			path := filepath.Join(f.dir, names[random.IntN(len(names))])
			_ = os.RemoveAll(path)
			for dir := filepath.Dir(path); dir != f.dir; dir = filepath.Dir(dir) {
				if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
					_ = os.Remove(dir)
				}
			}
			_ = os.MkdirAll(filepath.Dir(path), 0o755)
			var err error
			switch random.IntN(5) {
			case 0: // stays removed
			case 1:
				err = os.Symlink("elsewhere", path)
			default:
				err = os.WriteFile(path, fmt.Appendf(nil, "%d\n", random.IntN(3)), []os.FileMode{0o644, 0o755}[random.IntN(2)])
			}
			if err != nil {
				f.t.Fatal(err)
			}
		}
		f.git("add", "-A")
		f.git("update-index", "--add", "--cacheinfo", "160000,"+commits[random.IntN(len(commits))]+",sub")
		parents := []string{"-p", commits[len(commits)-1]}
		if random.IntN(4) == 0 {
			parents = append(parents, "-p", commits[random.IntN(len(commits)-1+1)])
		}
		message := []string{"one line", "two\n\nlines\n\n", "no break at the end", "ü ☃\n"}[n%4]
		commits = append(commits, f.git(append([]string{"commit-tree", f.git("write-tree"), "-m", message}, parents...)...))
	}
	return commits
}

// agrees compares with git: everything lies in files of its own, so that all of it is
// read without git.
func (f *fixture) agrees(commits []string) {
	t, ctx := f.t, f.ctx()
	t.Helper()
	same := func(what string, mine, gits any, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s: not read", what)
		} else if !reflect.DeepEqual(mine, gits) {
			t.Errorf("%s: read\n%q\ngit says\n%q", what, mine, gits)
		}
	}
	for i, head := range commits {
		mine, ok := f.looseFiles(head)
		same("files of "+head, mine, f.listed(head), ok)
		for _, file := range mine {
			if file.Mode == SubmoduleMode {
				continue
			}
			data, ok := f.looseFile(head, file.Path)
			theirs, err := f.blob(ctx, head+":"+file.Path)
			same(file.Path, string(data), string(theirs), ok && err == nil)
		}
		for j, base := range commits {
			if i == j {
				continue
			}
			what := base + " to " + head
			changes, ok := f.looseChanges(base, head)
			out, err := f.diffTree(ctx, base, head, "--name-status", "-z")
			if err != nil {
				t.Fatal(err)
			}
			gits, _ := parseChanges(out)
			same("changes from "+what, append([]Change{}, changes...), append([]Change{}, gits...), ok)
			_, err = f.Repo.git(ctx, f.bare(), "merge-base", "--is-ancestor", base, head)
			if within, sure := f.reaches(head, base); !sure || within != (err == nil) {
				t.Errorf("%s: within %v, sure %v; git says %v", what, within, sure, err)
			}
			f.sameLog(base, head)
			best, err := f.MergeBase(ctx, base, head)
			theirs, _ := f.line(ctx, f.bare(), "merge-base", base, head)
			if err != nil || best != theirs {
				t.Errorf("%s: merge base %q, git says %q, %v", what, best, theirs, err)
			}
		}
	}
}

// sameLog compares messages and names where all commits follow one another.
func (f *fixture) sameLog(base, head string) {
	f.t.Helper()
	const limit = 1 << 20
	if mine, ok := f.looseMessages(base, head, limit); ok {
		var theirs []CommitText
		out, err := f.logged(f.ctx(), base, head, limit, textFormat, "--no-patch")
		for text := range strings.SplitSeq(string(out.Stdout), "\x00") {
			if c := strings.SplitN(strings.TrimLeft(text, "\n"), "\n", 4); len(c) == 4 {
				theirs = append(theirs, CommitText{c[0], c[1], c[2], c[3]})
			}
		}
		if err != nil || !reflect.DeepEqual(mine, theirs) {
			f.t.Errorf("messages: read\n%q\ngit says\n%q %v", mine, theirs, err)
		}
	}
	if mine, ok := f.looseAdded(base, head, limit); ok {
		out, err := f.logged(f.ctx(), base, head, limit, "--format=", "--name-only", "--no-renames", "--diff-filter=A", "-m")
		theirs := strings.FieldsFunc(string(out.Stdout), func(r rune) bool { return r == 0 || r == '\n' })
		seen := map[string]bool{}
		var unique []string
		for _, name := range theirs {
			if !seen[name] {
				seen[name] = true
				unique = append(unique, name)
			}
		}
		if err != nil || !reflect.DeepEqual(mine, unique) {
			f.t.Errorf("names: read\n%q\ngit says\n%q %v", mine, unique, err)
		}
	}
}

// listed is what ls-tree says.
func (f *fixture) listed(commit string) (files []File) {
	f.t.Helper()
	for line := range strings.SplitSeq(strings.TrimSuffix(f.git("ls-tree", "-r", "-z", "--full-tree", commit), "\x00"), "\x00") {
		info, path, _ := strings.Cut(line, "\t")
		word := strings.Fields(info)
		files = append(files, File{Path: path, Mode: word[0], ID: word[2]})
	}
	return files
}

// TestObjectsThatGitDidNotWrite are left to git.
func TestObjectsThatGitDidNotWrite(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	blob := f.git("rev-parse", f.base+":a.txt")
	raw, err := hexBytes(blob)
	if err != nil {
		t.Fatal(err)
	}
	entry := func(mode, name string) string { return mode + " " + name + "\x00" + raw }
	for name, tree := range map[string]string{
		"out of order": entry("100644", "b") + entry("100644", "a"), "twice": entry("100644", "a") + entry("100644", "a"),
		"an old mode": entry("100664", "a"), "a folder's mode": entry("040000", "a"), "cut": entry("100644", "a")[:20],
		"no name": entry("100644", ""), "a path": entry("100644", "a/b"), "no mode": "a\x00" + raw,
	} {
		file := filepath.Join(t.TempDir(), "tree")
		if err := os.WriteFile(file, []byte(tree), 0o600); err != nil {
			t.Fatal(err)
		}
		id := f.git("hash-object", "-t", "tree", "--literally", "-w", file)
		if files, ok := f.looseFiles(id); ok {
			t.Errorf("%s: %v", name, files)
		}
		if changes, ok := f.looseChanges(f.base, id); ok {
			t.Errorf("%s: %v", name, changes)
		}
	}
	big := f.git("commit-tree", f.base+"^{tree}", "-m", strings.Repeat("x", 2*maxObject/100))
	f.git("config", "i18n.commitEncoding", "latin1")
	odd := f.git("commit-tree", f.base+"^{tree}", "-p", big, "-m", "x")
	if _, ok := f.looseMessages(big, odd, 1<<20); ok {
		t.Error("a message in another encoding is read")
	}
	if _, ok := f.looseMessages(f.base, big, 1<<20); ok {
		t.Error("a commit that does not follow is read")
	}
	f.write(f.CommonDir, "shallow", f.base+"\n")
	if found, sure := f.reaches(f.base, big); found || sure {
		t.Error("sure of a history that is cut off")
	}
}

func hexBytes(id string) (string, error) {
	var raw strings.Builder
	for i := 0; i < len(id); i += 2 {
		var b byte
		if _, err := fmt.Sscanf(id[i:i+2], "%02x", &b); err != nil {
			return "", err
		}
		raw.WriteByte(b)
	}
	return raw.String(), nil
}
