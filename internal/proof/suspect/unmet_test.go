package suspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/testing/prooftest"
)

func TestMustNames(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]string{
		"register() must check its input. Add check(email).": "register",
		"Client.Fetch must retry: add a field.":              "Fetch",
		"All is well. `total` should round; slug must fold.": "total slug",
		"- parse_date has to fail for none.":                 "parse_date",
		"Users must log in. It must check each row.":         "",
		"total() must not change. total() must still round.": "",
		"total() must be as fast as before":                  "",
		"After that total() gives 1":                         "",
	} {
		if got := strings.Join(mustNames(task), " "); got != want {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
}

// TestUnmet: a function that must do something and is as it was, beside other work of the task.
func TestUnmet(t *testing.T) {
	t.Parallel()
	const task = "register() must check its input. Add check(email)."
	const users = "_users = {}\n\n\ndef register(email):\n    _users[email] = norm(email)\n\n\ndef norm(email):\n    return email\n"
	for what, c := range map[string]struct {
		task string
		work prooftest.Tree
		line int
	}{
		"only the other":         {task, prooftest.Tree{"users.py": users + "\n\ndef check(email):\n    return email in _users\n"}, 4},
		"in another file":        {task, prooftest.Tree{"checks.py": "def check(email):\n    return '@' in email\n"}, 4},
		"-it is changed":         {task, prooftest.Tree{"users.py": strings.Replace(users, "    _users[email]", "    check(email)\n    _users[email]", 1)}, 0},
		"-what it calls is":      {task, prooftest.Tree{"users.py": strings.Replace(users, "return email", "return email.lower()", 1)}, 0},
		"-a value that it has":   {task, prooftest.Tree{"users.py": strings.Replace(users, "_users = {}", "_users = Checked()", 1)}, 0},
		"-it is decorated":       {task, prooftest.Tree{"users.py": strings.Replace(users, "def register", "@checked\ndef register", 1)}, 0},
		"-it is replaced":        {task, prooftest.Tree{"users.py": users + "\n\ndef checked(f):\n    return f\n\n\nregister = checked(register)\n"}, 0},
		"-data changes":          {task, prooftest.Tree{"rules.json": "{}\n", "checks.py": "def check(email):\n    return 1\n"}, 0},
		"-only tests and papers": {task, prooftest.Tree{"test_users.py": "def test_a():\n    pass\n", "README.md": "register\n"}, 0},
		"-another task":          {"Add check(email), as register() is.", prooftest.Tree{"checks.py": "def check(email):\n    return 1\n"}, 0},
	} {
		k, s := change("pytest", prooftest.Tree{"users.py": users}, c.work)
		found, err := unmet(proof.Index(k.Base), proof.Index(k.Work), c.task, s.Read)
		want := "[]"
		if c.line > 0 {
			want = fmt.Sprintf("[users.py:%d %s]", c.line, namedByTask)
		}
		if got := fmt.Sprint(found); got != want || err != nil || slices.Contains(found, Finding{}) {
			t.Errorf("%s: %s %v, want %s", what, got, err, want)
		}
	}
}
