//go:build server

package store_test

import (
	"testing"

	"ralph/internal/shelf"
	"ralph/internal/testing/shelftest"
)

// TestShelf holds the documents of a project to the contract of a shelf.
func TestShelf(t *testing.T) {
	t.Parallel()
	name := project()
	shelftest.Run(t, func(t *testing.T) shelf.Shelf { return openProject(t, name).Accounts() })
}
