package ralph_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// How often the words in tools/vale/ralph may still occur in comments and
// strings of the product. The number may only fall: lower it with each word
// that goes. Documents have none of them.
const wordsInSources = 5

// TestProse holds documents, comments and messages to the word list that Vale
// uses too (make lint).
func TestProse(t *testing.T) {
	t.Parallel()
	words := avoidedWords(t)
	for _, path := range documents(t) {
		if found := words.in(withoutCode(read(t, path))); len(found) > 0 {
			t.Errorf("%s has words to avoid:\n  %s", path, strings.Join(found, "\n  "))
		}
	}
	var found []string
	for _, path := range slices.Sorted(maps.Keys(sources(t))) {
		for _, hit := range words.in(commentsAndStrings(t, path)) {
			found = append(found, path+": "+hit)
		}
	}
	if len(found) > wordsInSources {
		t.Errorf("comments and strings: %d words to avoid, %d allowed:\n  %s", len(found), wordsInSources, strings.Join(found, "\n  "))
	}
	t.Logf("comments and strings have %d words to avoid", len(found))
}

// TestNoForeignReferences: a comment cites documents that are in the repository.
func TestNoForeignReferences(t *testing.T) {
	t.Parallel()
	for _, path := range append(slices.Collect(maps.Keys(sources(t))), documents(t)...) {
		if strings.Contains(read(t, path), "design §") {
			t.Errorf("%s cites a design document, which the repository does not have", path)
		}
	}
}

// wordList maps an expression to the hint for it.
type wordList map[*regexp.Regexp]string

// avoidedWords reads Vale's rules.
func avoidedWords(t *testing.T) wordList {
	t.Helper()
	words := wordList{}
	for _, name := range []string{"Words", "Clauses"} {
		var rule struct {
			Swap   map[string]string
			Tokens []string
		}
		if err := yaml.Unmarshal([]byte(read(t, "tools/vale/ralph/"+name+".yml")), &rule); err != nil {
			t.Fatalf("read %s.yml: %v", name, err)
		}
		for word, better := range rule.Swap {
			words[regexp.MustCompile(`(?i)\b(?:`+word+`)\b`)] = better
		}
		for _, clause := range rule.Tokens {
			words[regexp.MustCompile(`(?m)`+clause)] = "a noun"
		}
	}
	if len(words) < 10 {
		t.Fatalf("only %d words in tools/vale/ralph", len(words))
	}
	return words
}

func (words wordList) in(text string) (found []string) {
	for word, better := range words {
		for _, hit := range word.FindAllString(text, -1) {
			found = append(found, fmt.Sprintf("%q: use %s", strings.TrimSpace(hit), better))
		}
	}
	slices.Sort(found)
	return found
}

// documents lists the Markdown files that people read.
func documents(t *testing.T) (paths []string) {
	t.Helper()
	for _, root := range []string{".", "docs", "plugin"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && root == "." && path != ".":
				return filepath.SkipDir
			case strings.HasSuffix(path, ".md"):
				paths = append(paths, filepath.ToSlash(path))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

var (
	codeInMarkdown = regexp.MustCompile("(?s)```.*?\n *```|``[^\n]+?``|`[^`]+`|<!--.*?-->")
	spaces         = regexp.MustCompile(` *\n(?:\s*// ?)? *`)
)

// withoutCode returns the sentences of a page, each paragraph on one line.
func withoutCode(page string) string {
	var lines []string
	for paragraph := range strings.SplitSeq(codeInMarkdown.ReplaceAllString(page, "CODE"), "\n\n") {
		lines = append(lines, spaces.ReplaceAllString(paragraph, " "))
	}
	return strings.Join(lines, "\n")
}

// commentsAndStrings returns what people may read in a Go source, one comment
// or string a line.
func commentsAndStrings(t *testing.T, path string) string {
	t.Helper()
	src := []byte(read(t, path))
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile(path, files.Base(), len(src)), src, nil, scanner.ScanComments)
	var lines []string
	last := -2 // the line of the comment before: comments on adjacent lines are one text
	for {
		pos, tok, text := s.Scan()
		line := files.Position(pos).Line
		switch tok {
		case token.EOF:
			return strings.Join(lines, "\n")
		case token.COMMENT:
			text = strings.TrimSpace(strings.TrimPrefix(text, "//"))
			if line == last+1 {
				lines[len(lines)-1] += " " + text
			} else {
				lines = append(lines, text)
			}
			last = line
		case token.STRING:
			lines = append(lines, spaces.ReplaceAllString(strings.Trim(text, "\"`"), " "))
			last = -2
		}
	}
}
