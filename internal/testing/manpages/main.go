// Command manpages writes ralph's man pages, for whoever packages it:
//
//	go run -buildvcs=true ./internal/testing/manpages DIR
//
// It is a program of its own, since the renderer is half a megabyte that ralph
// would load again for every child it supervises.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/cli"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		return errors.New("name the directory for the pages")
	}
	pages, err := manPages(cli.Commands(), released())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(args[0], 0o755); err != nil {
		return fmt.Errorf("make the directory of man pages: %w", err)
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(args[0], name), text, 0o644); err != nil {
			return fmt.Errorf("write man page: %w", err)
		}
	}
	return nil
}
