package suspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
	"ralph/internal/testing/prooftest"
)

func TestMustNames(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]string{
		"register() must check its input. Add check(email).": "register",
		"Client.Fetch must retry: add a field.":              "Fetch",
		"All is well. `total` should round; slug must fold.": "total slug",
		"- parse_date has to fail for none.":                 "parse_date",
		"Import takes everything. It must check each row.":   "Import",
		"Users log in by name; it should fold case.":         "Users",
		"total() must not change. total() must still round.": "",
		"total() must be as fast as before":                  "",
		"After that total() gives 1":                         "",
		"Stock.reserve is not safe for threads. Make it so.": "reserve",
		"Under load: `sum` doesn't round; fix that.":         "",
		"Load does not check; leave it so. Add Save.":        "",
		"total() cannot be fast. Add a cache beside it.":     "",
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
	const users = "_users = {}\n\n\nclass Taken(Exception):\n    pass\n\n\ndef register(email):\n    _users[email] = norm(email)\n\n\ndef norm(email):\n    return email\n"
	long := strings.Repeat("x = 1\n", syntax.LongestSource/6+1) // which hides nothing in others
	for what, c := range map[string]struct {
		task string
		work prooftest.Tree
		line int
	}{
		"only the other":         {task, prooftest.Tree{"users.py": users + "\n\ndef check(email):\n    return email in _users\n"}, 8},
		"in another file":        {task, prooftest.Tree{"checks.py": "def check(email):\n    return '@' in email\n"}, 8},
		"-it is changed":         {task, prooftest.Tree{"users.py": strings.Replace(users, "    _users[email]", "    check(email)\n    _users[email]", 1)}, 0},
		"-what it calls is":      {task, prooftest.Tree{"users.py": strings.Replace(users, "return email", "return email.lower()", 1)}, 0},
		"-a value that it has":   {task, prooftest.Tree{"users.py": strings.Replace(users, "_users = {}", "_users = Checked()", 1)}, 0},
		"-it is decorated":       {task, prooftest.Tree{"users.py": strings.Replace(users, "def register", "@checked\ndef register", 1)}, 0},
		"-it is replaced":        {task, prooftest.Tree{"users.py": users + "\n\ndef checked(f):\n    return f\n\n\nregister = checked(register)\n"}, 0},
		"-data changes":          {task, prooftest.Tree{"rules.json": "{}\n", "checks.py": "def check(email):\n    return 1\n"}, 0},
		"-only tests and papers": {task, prooftest.Tree{"test_users.py": "def test_a():\n    pass\n", "README.md": "register\n"}, 0},
		"-another task":          {"Add check(email), as register() is.", prooftest.Tree{"checks.py": "def check(email):\n    return 1\n"}, 0},
		"a sentence before":      {"register takes everything. It must check its input.", prooftest.Tree{"users.py": users + "\n\ndef check(email):\n    return email in _users\n"}, 8},
		"-a class":               {"Taken must tell who has the address.", prooftest.Tree{"users.py": users + "\n\ndef check(email):\n    return email in _users\n"}, 0},
	} {
		k, s := change("pytest", prooftest.Tree{"users.py": users, "made.py": long}, c.work)
		found, err := unmet(declaringOnce(proof.Index(k.Base), proof.Index(k.Work), s.Read), c.task)
		want := "[]"
		if c.line > 0 {
			want = fmt.Sprintf("[users.py:%d %s]", c.line, namedByTask)
		}
		if got := fmt.Sprint(found); got != want || err != nil || slices.Contains(found, Finding{}) {
			t.Errorf("%s: %s %v, want %s", what, got, err, want)
		}
	}
}

// TestUnmetMethod: a new field of its type is no change of a method.
func TestUnmetMethod(t *testing.T) {
	t.Parallel()
	const client = "package a\n\ntype Client struct {\n\tURL string\n}\n\nfunc (c *Client) Fetch() string { return get(c.URL) }\n\nfunc get(url string) string { return url }\n"
	const task = "Client.Fetch must retry: add the field MaxRetries int."
	for what, c := range map[string]struct {
		text string
		want int
	}{
		"a field": {strings.Replace(client, "URL string\n", "URL string\n\tMaxRetries int\n", 1) + "\nfunc delay(n int) int { return n }\n", 1},
		"-a part": {strings.Replace(client, "return url", "return url + \"?\"", 1), 0},
		"-itself": {strings.Replace(client, "return get(c.URL)", "return get(c.URL + x)", 1), 0},
	} {
		k, s := change("go test", prooftest.Tree{"a.go": client}, prooftest.Tree{"a.go": c.text})
		found, err := unmet(declaringOnce(proof.Index(k.Base), proof.Index(k.Work), s.Read), task)
		if len(found) != c.want || err != nil {
			t.Errorf("%s: %v %v", what, found, err)
		}
	}
}

// TestUnfixed: a source that the task asks to repair, and that is as it was.
func TestUnfixed(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{"feeds.py": "from rows import split\n\n\ndef parse(text):\n    return split(text)\n", "rows.py": "def split(text):\n    return text.split(';')\n", "data/north.csv": "a;b\n"}
	for what, c := range map[string]struct {
		task string
		work prooftest.Tree
		want string
	}{
		"its data are changed":      {"The import crashes, so fix feeds.py.", prooftest.Tree{"data/north.csv": "a;c\n"}, "feeds.py"},
		"a part beside is":          {"Fix `feeds.py`: it crashes.", prooftest.Tree{"more.py": "def parse2(text):\n    return []\n"}, "feeds.py"},
		"what it calls is":          {"Fix feeds.py: it crashes.", prooftest.Tree{"rows.py": "def split(text):\n    return []\n"}, ""},
		"it is changed":             {"Fix feeds.py: it crashes.", prooftest.Tree{"feeds.py": "def parse(text):\n    return []\n"}, ""},
		"it is gone":                {"Fix feeds.py: it crashes.", prooftest.Tree{"feeds.py": "", "feeds/__init__.py": "def parse(text):\n    return []\n"}, ""},
		"other sources and data":    {"Fix feeds.py: it crashes.", prooftest.Tree{"more.py": "x = 1\n", "data/north.csv": "a;c\n"}, ""},
		"a file that there is not":  {"Fix field.py: it crashes.", prooftest.Tree{"data/north.csv": "a;c\n"}, ""},
		"a file that is no source":  {"Fix data/north.csv.", prooftest.Tree{"rows.py": "def split(text):\n    return []\n"}, ""},
		"it is not asked to repair": {"See feeds.py.", prooftest.Tree{"data/north.csv": "a;c\n"}, ""},
	} {
		k, s := change("pytest", base, c.work)
		found, err := unfixed(proof.Index(k.Base), proof.Index(k.Work), declaringOnce(proof.Index(k.Base), proof.Index(k.Work), s.Read), c.task)
		got := ""
		for _, f := range found {
			got = f.Path
		}
		if got != c.want || err != nil {
			t.Errorf("%s: %q, want %q: %v", what, got, c.want, err)
		}
	}
}
