package project

import (
	"context"
	"os"
	"path/filepath"

	"ralph/internal/migrate"
	"ralph/internal/store"
)

// Foreign returns the traces of other runners from which nothing was imported.
// Looking costs a few Lstat where there is none, and one question to the
// database where there is.
func Foreign(ctx context.Context, root string, s *store.Store) []string {
	if root == "" {
		return nil
	}
	var there []string
	for _, t := range migrate.Traces() {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(t))); err == nil {
			there = append(there, t)
		}
	}
	if len(there) == 0 {
		return nil
	}
	left, err := s.Unimported(ctx, there)
	if err != nil {
		return nil // What is wrong with the database, others say.
	}
	return left
}
