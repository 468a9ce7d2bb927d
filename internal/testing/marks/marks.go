// Package marks keeps the parts of a page that a tool writes: they stand between
// two marks, and the rest of the page belongs to people.
package marks

import (
	"fmt"
	"os"
	"strings"
)

// Insert replaces the text between a tool's marks in a file. The tool is named as
// one types it, for example "make bench".
func Insert(file, tool, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	page, err := between(string(data), tool, text)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return os.WriteFile(file, []byte(page), 0o644)
}

func between(page, tool, text string) (string, error) {
	begin, end := "<!-- Written by: "+tool+" -->\n", "<!-- End of what "+tool+" writes -->\n"
	before, rest, begins := strings.Cut(page, begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		return "", fmt.Errorf("it has no marks for %s", tool)
	}
	return before + begin + "\n" + text + "\n" + end + after, nil
}
