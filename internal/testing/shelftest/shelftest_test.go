package shelftest_test

import (
	"testing"

	"ralph/internal/shelf"
	"ralph/internal/testing/shelftest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	m := &shelftest.Memory{}
	shelftest.Run(t, func(*testing.T) shelf.Shelf { return m })
}
