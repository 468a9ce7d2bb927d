package launch

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/loop"
)

// idWords is the length up to which whole words of a task stand in an id.
const idWords = 24

// fillers are words that an id leaves out: a user would not type them.
var fillers = strings.Fields("a an the this that these those to of for in on at by with and or is are be please so it its make let")

// LoopID is the asked-for id, or one made of the task: its first words and 4 hex
// digits, such as fix-failing-tests-b51b, that no loop of the repository has.
func LoopID(p *project.Project, task, asked string) (string, error) {
	if asked != "" {
		if err := loop.ValidID(asked); err != nil {
			return "", exit.UsageError("--loop-id my-loop", "%v", err)
		}
		return asked, nil
	}
	words := IDWords(task)
	for digits := 2; ; digits++ { // bytes: four digits first, more while they are taken
		for range 8 {
			b := make([]byte, digits)
			_, _ = rand.Read(b)
			if id := words + "-" + hex.EncodeToString(b); !taken(p, id) {
				return id, nil
			}
		}
	}
}

// IDWords returns the part of an id that a task's words make; never empty.
func IDWords(task string) string {
	all := strings.Split(Slug(task, 200), "-")
	words := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return slices.Contains(fillers, w) })
	if len(words) == 0 {
		words = all
	}
	id := words[0][:min(len(words[0]), idWords)]
	for _, w := range words[1:] {
		if len(id)+1+len(w) > idWords {
			break
		}
		id += "-" + w
	}
	return id
}

// taken reports whether a loop of the repository, an archived one, or a branch of one
// that was removed has the id. The store decides when the loop is created.
func taken(p *project.Project, id string) bool {
	return slices.ContainsFunc([]string{
		filepath.Join(p.Home, "loops", id), filepath.Join(p.Home, "archive", id),
		filepath.Join(p.Place.CommonDir, "refs", "heads", "ralph", id),
	}, func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	})
}
