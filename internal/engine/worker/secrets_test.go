package worker

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ralph/internal/loop"
)

// TestSecretsFoundOnce: a worker that has searched earlier commits finds in a history
// with merges, and with commits that are replaced, what one finds that searches all.
func TestSecretsFoundOnce(t *testing.T) {
	t.Parallel()
	dir, kept, run := newHistory(t)
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 1))
	var tokens []string
	for range 4 {
		token := []byte("ghp_")
		for range 36 {
			token = append(token, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[random.IntN(62)])
		}
		tokens = append(tokens, string(token))
	}
	token := func() string { return tokens[random.IntN(len(tokens))] }
	write := func(name string) {
		text := "text\n"
		if random.IntN(2) == 0 {
			text += "key = " + token() + "\n"
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("old.txt")
	run("add", "-A")
	run("commit", "-qm", "first")
	s := loop.State{}
	s.Base = run("rev-parse", "HEAD")
	named := 0
	order := cmpopts.SortSlices(strings.Compare)
	for i := range 12 {
		message := fmt.Sprintf("step %d", i)
		if i == 5 {
			message += " " + token()
		}
		switch random.IntN(6) {
		case 0:
			run("branch", "-f", "side", s.Base)
			run("-c", "advice.detachedHead=false", "checkout", "-q", "side")
			write(fmt.Sprintf("side%d.txt", i))
			run("add", "-A")
			run("commit", "-qm", message)
			run("checkout", "-q", "main")
			run("merge", "-q", "--no-edit", "side")
		case 1:
			write("old.txt")
			run("add", "-A")
			replaced := []string{"--amend", "--reset-author"}
			if run("rev-parse", "HEAD") == s.Base {
				replaced = nil
			}
			run(append([]string{"commit", "-q", "--allow-empty", "-m", message + " " + token()}, replaced...)...)
		default:
			write([]string{"old.txt", "a.txt", "b.txt"}[random.IntN(3)])
			run("add", "-A")
			run("commit", "-q", "--allow-empty", "-m", message)
		}
		tip := run("rev-parse", "HEAD")
		got, _, err := kept.findSecrets(t.Context(), s, tip)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := (&Worker{Repo: kept.Repo, Env: kept.Env}).findSecrets(t.Context(), s, tip)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, order); d != "" {
			t.Fatalf("seed %d, step %d (-all +kept):\n%s\n%s", seed, i, d, run("log", "--graph", "--oneline"))
		}
		if tip != s.Base && kept.searched.tip != tip {
			t.Errorf("step %d: the search up to %s is not kept", i, tip)
		}
		named += len(got)
	}
	if named == 0 {
		t.Error("nothing was found: the test shows nothing")
	}
}
