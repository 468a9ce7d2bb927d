package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCollector(t *testing.T) {
	t.Parallel()
	var c Collector
	if c.Excerpt() != "" || len(c.Lines()) != 0 || c.Missing() != nil {
		t.Error("the zero value says something")
	}
	c.Add("hello", 0)
	c.Add("", 0)
	c.Add("world", 0)
	if d := cmp.Diff([]string{"hello", "world"}, c.Lines()); d != "" {
		t.Errorf("without errors: %s", d)
	}
	c.Add("error: undefined: Foo", 0)
	for range 1000 {
		c.Add("error: again", 0)
	}
	if d := cmp.Diff([]string{"error: undefined: Foo", "error: again"}, c.Lines()); d != "" {
		t.Errorf("repeated lines push others out: %s", d)
	}
	if d := cmp.Diff([]string{"Foo"}, c.Missing()); d != "" {
		t.Error(d)
	}
	if !strings.Contains(c.Excerpt(), "[... 905 lines truncated ...]") {
		t.Error(c.Excerpt())
	}
}

func TestCollectorKeepsTheLastForty(t *testing.T) {
	t.Parallel()
	var c Collector
	for i := range 100 {
		c.Add(fmt.Sprintf("error %d", i), 0)
		c.Add(fmt.Sprintf("quiet %d", i), 0)
	}
	if l := c.Lines(); len(l) != errorLines || l[0] != "error 60" || l[errorLines-1] != "error 99" {
		t.Errorf("%d lines: %q", len(l), l)
	}
}
