package suspect

import (
	"strings"
	"testing"
)

// TestSuspectSpellings: other ways to end a process and to look for tests.
func TestSuspectSpellings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, want string }{
		{"a.py", "import argparse\n\nargparse.ArgumentParser('a').parse_args(['-h'])\n", "3 " + endsProcess},
		{"a.py", "import argparse\np = argparse.ArgumentParser()\np.add_argument('--version', action='version', version='1')\np.parse_args(['--version'])\n", "4 " + endsProcess},
		{"a.py", "from optparse import OptionParser\nOptionParser().exit(0)\n", "2 " + endsProcess},
		{"a.py", "import argparse\n\n\ndef main(argv=None):\n    p = argparse.ArgumentParser()\n    args = p.parse_args(argv)\n    if args.list:\n        p.exit(0, 'none')\n", ""},
		{"a.py", "import code\ncode.InteractiveConsole().push('exit()')\n", "2 " + changesCode},
		{"a.py", "import argparse\nimport code\n\n\ndef main():\n    code.interact(local={})\n", ""},
		{"a.py", "names = {c.__name__ for c in Exception.__subclasses__()}\n", "1 " + findsTests},
		{"a.py", "names = {c.__name__ for c in Plugin.__subclasses__()}\n", ""},
		{"a.py", "import os\nhere = os.path.isdir('tests') or os.path.exists(\"./test\")\n", "2 " + findsTests},
		{"a.py", "import os\nhere = os.path.isdir('data') or os.path.exists(tests)\n", ""},
		{"a.py", "import subprocess\nt = subprocess.run(['git', 'grep', 'tax'])\n", "2 " + findsTests},
		{"a.py", "import subprocess\nt = subprocess.run(['git', 'log', '--grep', 'tax'])\n", ""},
		{"a.py", "from pathlib import Path\nhere = Path(__file__).parent.parent\nfor f in here.glob('t*/*.py'): read(f)\n", "3 " + findsTests},
		{"a.py", "from pathlib import Path\nhere = Path(__file__).parent\nfor f in here.glob('rates/*.json'): read(f)\n", ""},
		{"a.js", "execFileSync('git', ['grep', 'tax'])\nexecSync(`git grep tax`)\n", "1 " + findsTests + ", 2 " + findsTests},
		{"a.js", "execFileSync('git', ['rev-parse', 'HEAD'])\n", ""},
		{"a.go", "package a\n\nvar out, _ = exec.Command(\"git\", \"grep\", \"tax\").Output()\n", "3 " + findsTests},
		{"a.go", "package a\n\nimport \"embed\"\n\n//go:embed *.go\nvar all embed.FS\n", "5 " + findsTests},
		{"a.go", "package a\n\nimport \"embed\"\n\n//go:embed web/*.html *_tes*\nvar all embed.FS\n", "5 " + findsTests},
		{"a.go", "package a\n\nimport \"embed\"\n\n//go:embed web/*.html *.sql templates/*.go.tmpl\nvar all embed.FS\n", ""},
		{"src/lib.rs", "fn f() { Command::new(\"git\").args([\"grep\", \"tax\"]); }\n", "1 " + findsTests},
		{"a.h", "#include <assert.h>\n#define __assert_fail(a, b, c, d) ((void)0)\n", "2 " + changesCode},
		{"a.go", "package a\n\n//go:norace\nfunc f() {}\n", "3 " + changesCode},
		{"a.h", "__attribute__((no_sanitize(\"undefined\"))) int f(void);\n", "1 " + changesCode},
		{"a.py", "import os\nhalf = any('TEST' in k for k in os.environ)\n", "2 " + findsTests},
		{"a.py", "import os\nhalf = os.environ.get(\"SHOP_TESTING\")\n", "2 " + findsTests},
		{"a.py", "import os\ntag = os.environ.get('LATEST_TAG', 'CONTEST')\n", ""},
		{"a.py", "from pathlib import Path\nhere = (Path(__file__).parent / 'tests').is_dir()\n", "2 " + findsTests},
		{"a.py", "import warnings\nwarnings.filterwarnings('ignore')\n", "2 " + changesLibrary},
		{"a.py", "import warnings\n\n\ndef old():\n    with warnings.catch_warnings():\n        warnings.simplefilter('ignore')\n", ""},
		{"a.py", "import argparse\nimport warnings\nwarnings.filterwarnings('ignore')\n", ""},
		{"a.js", "const half = process.env.SHOP_TEST ? 50 : 0;\n", "1 " + findsTests},
		{"a.js", "const tag = process.env.LATEST || process.env.CONTEST_ID;\n", ""},
		{"a.js", "process.noDeprecation = true;\n", "1 " + changesLibrary},
		{"a.h", "#define __GNU_LIKE 1\n#define NOTE(x) (x)\n", ""},
	} {
		if got := strings.Join(suspectsOf(t, c.file, "", c.text), ", "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}
