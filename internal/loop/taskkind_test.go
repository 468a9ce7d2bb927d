package loop

import "testing"

// TestLikelyKind: the first words of a task tell whether a test could fail without its work.
func TestLikelyKind(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]TaskKind{
		"Refactor the cart":                        KindRefactor,
		"Rename Total to Sum everywhere.":          KindRefactor,
		"Document the cart in README":              KindDocs,
		"Update the README":                        KindDocs,
		"Fix typos":                                KindDocs,
		"Write tests for discount":                 KindChore,
		"add missing unit tests":                   KindChore,
		"Add a GitHub workflow that runs the test": KindChore,
		"Set up CI":                                KindChore,
		"Bump go to 1.27":                          KindChore,
		"Add discount(percent)":                    "",
		"Fix the README link checker":              "",
		"Documents get a title":                    "",
		"Remove the refactored code":               "",
		"Raise the coverage to 80":                 "",
		"":                                         "",
	} {
		if got := LikelyKind(task); got != want {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
}
