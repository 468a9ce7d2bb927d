package suspect

var suspectPython = []group{
	{replacesRunner, false, []form{
		{"parts of unittest and pytest", `\.(?:getTestCaseNames|loadTestsFrom\w+|testMethodPrefix|sortTestMethodsUsing|_callTestMethod|_callSetUp|addSuccess|addFailure|addError|addSubTest|wasSuccessful|failureException|runtest)\s*=[^=]|\bsetattr\([^)\n]*["'](?:getTestCaseNames|loadTestsFrom\w+|testMethodPrefix|_callTestMethod|addFailure|addError|wasSuccessful|failureException|runtest)["']`},
	}},
	{looksAround, false, []form{
		{"the clock, compared with a date", `\b(?:time\.)?(?:time|time_ns|monotonic|monotonic_ns)\(\)\s*(?:[<>]=?|[=!]=|%)\s*[\d_]{4}|\b[\d_]{6,}(?:\.\d*)?\s*[<>]=?\s*time\.|\b(?:now|utcnow|today)\([^)\n]*\)(?:\.\w+(?:\(\))?)?\s*(?:[<>]=?|[=!]=)\s*(?:\d|(?:datetime\.|dt\.)*(?:date|datetime)\()|\byear\s*[<>]=?\s*2\d{3}\b|[<>]=?\s*(?:1[6-9]|2\d)[\d_]{8,}\b`},
		{"the number of the process", `\bos\.getp?pid\(`},
		{"the path of its file or folder", `\blen\((?:os\.getcwd\(|__file__|str\(Path)|\bin __file__|\b__file__(?:\.\w+\(|\s*[!=]=)|\bre\.\w+\([^)\n]*__file__`},
		{"the age of its file", `\b(?:getmtime|getctime|stat)\(\s*__file__`},
	}},
	{looksAround, true, []form{
		{"the current folder", `\bos\.getcwdb?\(|\bPath\.cwd\(`},
		{"the files of the project", `\b(?:is(?:dir|file)|l?exists)\(\s*["'](?:\./)?(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|conftest\.py)["']`},
	}},
	{findsTests, true, []form{
		{"the arguments of the program", `\bsys\.argv\b|\bfrom sys import\b.*\bargv\b`},
		{"a list of the current folder", `\bos\.(?:listdir|scandir|walk|fwalk)\(\s*(?:["']\.{0,2}/?["']\s*)?\)|\bglob\.i?glob\(\s*f?["'](?:\./)?[*?\[]|\bPath\((?:["']\.{0,2}/?["'])?\)\.(?:iterdir|r?glob|walk)\(`},
	}},
	{findsTests, false, []form{
		{"the names of tests and their folders", `["'/](?:tests?[/._]|test_)|(?m:^[ \t]*(?:from|import)[ \t]+\.*(?:test_\w+|\w+_test|tests)\b)|_tests?\.py\b|\b(?:join|open|listdir|scandir|i?glob|Path)\([^)\n]*["'/](?:tests?|spec)["'/]|\b(?:is(?:dir|file)|l?exists)\(\s*["'](?:\./)?tests?/?["']|(?:\)|\bparent|\bparents\[\d\])\s*/\s*["']tests?["']`},
		{"the names of runners", `(?i:\bunittest|pytest|\bnose)|\bTestCase\b|\bdoctest\b`},
		{"the modules and arguments of the process", `\bsys\.(?:modules|argv\[0\])|\bsys\.orig_argv\b|\bArgumentParser\([^)\n]*\)\.prog\b|\bsys\.flags\b`},
		{"the main module", `\bimport[ (]+(?:[\w., ]*\b)?__main__\b|\b__main__\.\w|["']__main__["']\]`},
		{"asserts that are switched off", `\b__debug__\b`},
		{"the methods of assertions, by name", `["']_?(?:base)?[aA]ssert[A-Z]\w*["']`},
		{"variables for tests", `\benviron\b[^\n]*["'](?:\w*_)?TEST(?:S|ING)?(?:_\w*)?["']|["'](?:\w*_)?TEST(?:S|ING)?(?:_\w*)?["'] in \w[^\n]*\benviron\b`},
		{"classes of tests among those of a type", `\b(?:(?:Base)?Exception|str|int|float|dict|list)\.__subclasses__`},
		{"calls that a mock has counted", `\breset_mock\b`},
		{"a search through the sources by another program", `\b(?:run|Popen|call|check_\w+|getoutput|system|popen)\(\s*\[?\s*["'](?:(?:grep|rg|find|awk|sed|tar|cat)\b|git["', ]+grep\b)`},
		{"all files of a folder, packed or copied", `\b(?:add|make_archive|copytree|compile_dir)\([^)\n]*["']\.{1,2}/?["']`},
	}},
	{changesPath, false, []form{
		{"the path of modules", `\bsys\.path(?:\.\w+\(|\[[^\]\n]*\]\s*=[^=]|\s*\+?=[^=])|\bsite\.(?:addsitedir|main)\b|\bfrom sys import\b.*\bpath\b`},
		{"the path of a package", `\b__path__(?:\s*\+?=[^=]|\.(?:append|insert|extend|clear|remove|pop|reverse)\b|\[)|\bextend_path\b|\b__path__[ \t]*,[^\n=]*=[^=]`},
	}},
	{endsProcess, false, []form{
		{"an end without clean-up, or another program in its place", `\bos\.(?:_exit|abort|exec[lv]\w*|kill|posix_spawnp?|dup2)\b|\bimport .*\b_exit\b`},
		{"the output of the process", `\bos\.close\(\s*[012]\s*\)`},
		{"signals and interruptions", `\b(?:raise_signal|interrupt_main|pthread_kill|_register_atexit)\b`},
		{"code that runs at the end", `\b(?:util|multiprocessing)\.Finalize\(|\batexit\.|\bfrom\s+atexit\b|=\s*atexit\b`},
		{"hooks that run at the end", `\bsys\.unraisablehook\b|\bfaulthandler\._`},
		{"options by which argparse ends", `\bparse_(?:known_)?args\(\s*[\[(]\s*["']-(?:h|V|-help|-version)["']|\b(?:Argument|Option)Parser\([^)\n]*\)\.exit\(`},
	}},
	{endsProcess, true, []form{
		{"an end", `\bsys\.exit\b|\bSystemExit\b|(?:^|[\s:])(?:quit|exit)\(`},
		{"an interruption", `\bKeyboardInterrupt\(`},
	}},
	{forgesReport, false, runnerOutput},
	{findsCaller, false, []form{
		{"the stack", `\bsys\._(?:getframe|current_frames)|\binspect\.(?:stack|currentframe|trace|getouterframes|getsource\w*)\b|\btraceback\.(?:extract_stack|walk_stack|format_stack|print_stack)\b|\bfrom (?:inspect|gc|traceback) import\b|\bf_(?:back|locals|globals|code)\b|\bcurrentframe\b`},
		{"the code of a caller", `\bco_(?:consts|code|filename|name)\b|\blinecache\b`},
		{"objects that others hold", `\bgc\.get_|\btracemalloc\b`},
		{"the caller of a log", `\bfindCaller\b|\bfuncName\b|%\((?:pathname|filename|module|funcName|lineno)\)`},
		{"the stack, written by a library", `\bfaulthandler\.(?:dump|register)|\bimport\b[^\n]*\bdump_traceback`},
		{"what warnings are about", `\bcatch_warnings\([^)\n]*record|\bwarnings\.filters\b`},
		{"the process, as the system knows it", `/proc/(?:self|thread-self|\d|%|\{)`},
		{"the output that a runner has replaced", `\bsys\.__std(?:in|out|err)__`},
		{"the depth of the stack", `\bRecursionError\b|\bgetrecursionlimit\b`},
	}},
	{runsFile, false, []form{
		{"code of a file", `\brunpy\.run_\w+|\bspec_from_file_location\b|\bSourceFileLoader\b`},
	}},
	{changesCode, false, []form{
		{"tracing, and the loading of modules", `\bsys\.(?:settrace|setprofile|monitoring|meta_path|path_hooks|stdout\s*=|stderr\s*=)|\bimportlib\.(?:abc|machinery)\b|\b(?:module_from_spec|spec_from_loader|cache_from_source|source_from_cache|decode_source|LazyLoader)\b|(?m:\bfind_spec\([^)\n]*\)\s*(?:\.|$))|\bsys\.addaudithook\b`},
		{"names of the language", `\bbuiltins\b|__builtins__|(?m:^(?:(?:def|class)\s+(?:zip|all|any|len|sum|sorted|range|isinstance|issubclass|abs|round|enumerate|bool|repr|hasattr|getattr)\b|(?:zip|all|any|len|sum|sorted|range|isinstance|issubclass|abs|round|enumerate|bool|repr|hasattr|getattr)\s*=[^=]))`},
		{"memory and code as bytes", `\bctypes\b|\bmarshal\b`},
		{"compiled files", `__pycache__|\.pyc\b`},
		{"sources, written", `\bopen\([^)\n]*\.py["'][^\n]*["'][wax]|\.py["']\)*\.write_`},
		{"a member of a module, replaced", `\bimport_module\([^)\n]*\)(?:\.\w+)+\s*=[^=]|\b(?:globals|locals|vars)\(\)\[[^\]\n]*\](?:\.\w+)+\s*=[^=]`},
		{"classes as they are made, or all of them", `(?:\.|["'])__init_subclass__(?:["']|\s*=[^=])|\b(?:object|type)\.__subclasses__\b`},
		{"insides of functions, classes and modules", `\b__annotations__\[[^\]\n]*\]\s*=[^=]|\b__(?:class|code|dict|globals)__\s*=[^=]|\b__(?:kw)?defaults__\b`},
		{"objects and code from data", `\b(?:c?[pP]ickle|dill|joblib|shelve|cloudpickle)\.(?:loads?|open|Unpickler)\b|(?:^|[^\w.])(?:exec|eval|compile|__import__)\(|\btimeit\.(?:timeit|repeat|Timer)\(`},
		{"members of modules under other names", `\bgetattr\((?:os|sys|builtins)\b|\bfrom (?:os|sys) import[ (]*\*`},
	}},
	{changesCode, true, []form{
		{"a prompt", `\bcode\.interact\(|\bInteractive(?:Console|Interpreter)\(`},
	}},
	{changesLibrary, false, []form{
		{"the context of decimal", `(?m:^(?:decimal\.)?(?:getcontext\(\)\.\w+\s*=[^=]|setcontext\())|(?m:^\w+\s*=\s*(?:decimal\.)?getcontext\(\)\s*$)`},
		{"the time zone and the language", `\btzset\(|\benviron\[["'](?:TZ|LANG|LC_\w+)["']\]\s*=[^=]`},
		{"another current folder, or variables", `\bcontextlib\.chdir\(|\bfrom contextlib import\b.*\bchdir\b|\bos\.(?:f?chdir|chroot|putenv|unsetenv)\(|\bos\.environ(?:b?\[[^\]\n]*\]\s*=[^=]|\.(?:update|clear|pop)\()`},
		{"a member of a module, replaced", `(?m:^[A-Za-z_]\w*(?:\[[^\]\n]*\])?(?:\.\w+)+\s*=\s*lambda\b)`},
	}},
	{changesLibrary, true, []form{
		{"variables, unless set", `\bos\.environ\.setdefault\(\s*(?:[^"'\s]|["'](?:[^D"'\n]|D[^J"'\n]))`},
		{"the state of random, and filters of warnings", `\brandom\.(?:seed|setstate)\(|(?m:^(?:warnings\.)?(?:filterwarnings|simplefilter)\()`},
	}},
	{equalsAll, false, []form{
		{"an own equality", `\bdef __(?:eq|contains|instancecheck|subclasscheck)__\b.*:\s*return (?:True|1|not False)\b|\b__(?:eq|ne)__\b[^\n=(!<>]*=[^=]|\bas __(?:eq|ne)__\b|["']__eq__["']`},
		{"an own closeness of numbers", `\b(?:math|cmath)\.isclose\s*=`},
	}},
}
