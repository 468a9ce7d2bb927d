package plan

import (
	"slices"

	"ralph/internal/scope"
)

// Conflicts are predicted before a task begins: one that would change the files
// of a task at work waits until that one has landed. Which files are a task's is
// known from what it declares, and from what its loops have changed, also those
// that ended: who is tried again will mostly touch the same files.
//
// A merge that is tried (git merge-tree) would tell files that both change and
// that go together all the same. It is not asked: what a loop has committed so
// far is not what it will land, so that a clean merge of today promises nothing,
// while a file on both sides is a condition of any conflict. To wait costs
// nothing as long as others are ready; a conflict costs a run of an agent.

// occupy notes the files of a task that somebody is at work on.
func (c *chooser) occupy(id string) {
	c.declared = append(c.declared, c.files(id)...)
	for _, f := range c.touched[id] {
		if c.changed == nil {
			c.changed = map[string]bool{}
		}
		c.changed[f] = true
	}
}

// meets says whether a task would come into the way of one at work.
func (c *chooser) meets(t *TaskState) bool {
	mine := c.files(t.ID)
	if len(scope.Overlaps(mine, c.declared)) > 0 {
		return true
	}
	if len(mine) > 0 {
		for f := range c.changed {
			if scope.Match(mine, f) {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.touched[t.ID], func(f string) bool { return c.changed[f] || scope.Match(c.declared, f) })
}

// files are those that a task declares, as globs.
func (c *chooser) files(id string) []string {
	if i, ok := c.g.index[id]; ok {
		return c.g.tasks[i].Files
	}
	return nil
}
