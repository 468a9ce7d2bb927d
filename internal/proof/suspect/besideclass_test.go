package suspect

import (
	"fmt"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/testing/prooftest"
)

// TestBesideClass: a subclass repairs what the task is about, and only tests use it.
func TestBesideClass(t *testing.T) {
	t.Parallel()
	const (
		task  = "Anybody can edit every post. Only its author may."
		blog  = "class Blog:\n    def __init__(self):\n        self.posts = {}\n\n    def edit(self, user, text):\n        if (user):\n            self.posts[user] = text\n"
		below = "from blog import Blog\n\n\nclass SecureBlog(Blog):\n    def edit(self, user, text):\n        check(user)\n        return super().edit(user, text)\n"
		bus   = "export class Bus {\n  constructor() { this.on = {}; }\n  emit(name, ...more) {\n    if (name) { this.on[name](...more); }\n  }\n}\n"
		safe  = "import { Bus } from './bus.js';\n\nexport class SafeBus extends Bus {\n  emit(name, ...more) {\n    try { super.emit(name, ...more); } catch (e) { log(e); }\n  }\n}\n"
	)
	for what, c := range map[string]struct {
		task string
		work prooftest.Tree
		want string
	}{
		"Python":                      {task, prooftest.Tree{"secure.py": below, "test_a.py": "from secure import SecureBlog\n"}, "secure.py:4"},
		"in the same file":            {task, prooftest.Tree{"blog.py": blog + "\n\n" + below[len("from blog import Blog\n\n\n"):]}, "blog.py:10"},
		"JavaScript":                  {"A handler that throws ends the emit. Call all of them.", prooftest.Tree{"safe.js": safe}, "safe.js:3"},
		"the task names it":           {"Add a SecureBlog that checks who edits.", prooftest.Tree{"secure.py": below}, ""},
		"no task":                     {"", prooftest.Tree{"secure.py": below}, ""},
		"the product uses it":         {task, prooftest.Tree{"secure.py": below, "app.py": "from secure import SecureBlog\n\nblog = SecureBlog()\n"}, ""},
		"the class is changed, too":   {task, prooftest.Tree{"secure.py": below, "blog.py": blog + "\n    def may(self, user):\n        return True\n"}, ""},
		"it overrides nothing":        {task, prooftest.Tree{"secure.py": "from blog import Blog\n\n\nclass SecureBlog(Blog):\n    def __init__(self):\n        super().__init__()\n\n    def check(self):\n        return 1\n"}, ""},
		"of a class meant for it":     {task, prooftest.Tree{"more.py": "from shape import Shape\n\n\nclass Round(Shape):\n    def area(self):\n        return 3\n"}, ""},
		"of a family":                 {task, prooftest.Tree{"more.py": "from shape import Text\n\n\nclass Html(Text):\n    def show(self):\n        return '<p>'\n"}, ""},
		"of a class that is not ours": {task, prooftest.Tree{"more.py": "class Handler(http.server.Handler):\n    def handle(self):\n        return 1\n"}, ""},
	} {
		base := prooftest.Tree{
			"blog.py": blog, "bus.js": bus, "app.py": "from blog import Blog\n\nblog = Blog()\n",
			"shape.py": "class Shape:\n    def area(self):\n        raise NotImplementedError\n\n\nclass Text:\n    def show(self):\n        return 'x'\n\n\nclass Json(Text):\n    def show(self):\n        return '{}'\n",
		}
		k, s := change("pytest", base, c.work)
		found, err := besideClass(declaringOnce(proof.Index(k.Base), proof.Index(k.Work), s.Read), c.task)
		got := ""
		for _, f := range found {
			got = fmt.Sprintf("%s:%d", f.Path, f.Line)
		}
		if got != c.want || err != nil {
			t.Errorf("%s: %q, want %q: %v", what, got, c.want, err)
		}
	}
}
