package git

import (
	"fmt"
	"path/filepath"
	"testing"
)

// Each benchmark stands beside its floor: the commands a person would type.

func benchFixture(b *testing.B, files int) *fixture {
	f := newFixture(b)
	f.many(files)
	return f
}

func BenchmarkCommit(b *testing.B) {
	for _, files := range []int{10, 5000} {
		f := benchFixture(b, files)
		ours, raw := f.worktree("ours", "ralph/ours"), f.worktree("raw", "ralph/raw")
		b.Run(fmt.Sprintf("ralph/%d", files), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				f.write(ours, "x", fmt.Sprint(i))
				f.commit(ours, CommitOptions{Branch: "ralph/ours"})
			}
		})
		b.Run(fmt.Sprintf("add+commit+syncfs/%d", files), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				f.write(raw, "x", fmt.Sprint(i))
				f.gitIn(raw, "add", "-A")
				f.gitIn(raw, "commit", "-q", "-m", "work")
				if err := f.Sync(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("ralph, no change/%d", files), func(b *testing.B) {
			for b.Loop() {
				f.commit(ours, CommitOptions{Branch: "ralph/ours"})
			}
		})
	}
}

func BenchmarkReuse(b *testing.B) {
	for _, files := range []int{10, 5000} {
		f := benchFixture(b, files)
		next := f.side("next", "many/00/0.go", "next\n")
		commits := []string{f.base, next}
		wt, gate, raw := f.worktree("w", "ralph/w"), f.worktree("gate", ""), f.worktree("raw", "ralph/raw")
		b.Run(fmt.Sprintf("Switch/%d", files), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if err := f.Switch(b.Context(), wt, fmt.Sprintf("ralph/n%d", i), commits[i%2]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("CheckoutDetached/%d", files), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if err := f.CheckoutDetached(b.Context(), gate, commits[i%2]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("CheckoutDetached, new process/%d", files), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if err := f.open(f.dir).CheckoutDetached(b.Context(), gate, commits[i%2]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("checkout+clean/%d", files), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				f.gitIn(raw, "checkout", "-q", "-f", "-B", "ralph/raw", commits[i%2])
				f.gitIn(raw, "clean", "-q", "-fd")
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	f := benchFixture(b, 5000)
	b.Run("AddWorktree/5000", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			f.worktree(fmt.Sprintf("a%d", i), fmt.Sprintf("ralph/a%d", i))
		}
	})
	b.Run("worktree add/5000", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			f.git("worktree", "add", "-q", "-b", fmt.Sprintf("raw%d", i), filepath.Join(f.root, fmt.Sprintf("raw%d", i)), f.base)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	f := benchFixture(b, 10)
	b.Run("Open", func(b *testing.B) {
		for b.Loop() {
			f.open(f.dir)
		}
	})
	b.Run("rev-parse", func(b *testing.B) {
		for b.Loop() {
			f.git("rev-parse", "--show-toplevel")
		}
	})
}
