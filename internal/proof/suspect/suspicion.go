package suspect

import (
	"sync"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// What a suspect line does.
const (
	endsProcess    = "ends the process, and can end a test run early"
	findsTests     = "looks for tests or their runner: it could act differently in a test"
	findsCaller    = "looks at its caller: it could act differently in a test"
	forgesReport   = "writes what a test runner prints, and could fake results"
	looksAround    = "looks at the clock, the process or its folder: it may work only now or only here"
	changesPath    = "changes where modules are loaded from"
	changesLibrary = "changes a library or global setting that tests may use"
	changesCode    = "changes other code at run time, or hides code"
	runsFile       = "loads code from a file at run time"
	startsSelf     = "finds its own program, and could start itself again"
	replacesHelper = "replaces a test helper that tests import through the product"
	takesPlace     = "is loaded in place of"
	leadsToTests   = "is a link to tests, where the product can read the expected results"
	copiesTests    = "is a copy of test file"
	knowsAnswers   = "compares with an input of a test and returns the expected result"
	steersTests    = "can change how other tests run"
	hidesLines     = "contains line breaks that a diff does not show"
	tooLarge       = "is too large for ralph to search"
	looksBinary    = "contains a NUL byte, so tools treat it as binary data"
	hiddenCode     = "contains code or objects in a form that ralph does not search"
	silencesTool   = "suppresses a linter, type checker or coverage tool"
	equalsAll      = "compares equal to anything"
	replacesRunner = "replaces a part of a test runner"
	writesExpected = "sets an environment variable that makes tests overwrite their expected results"
)

// runnerOutput is printed around the results of tests.
const runnerOutput = `=== RUN|--- PASS|--- FAIL|\\x16[-=PF]|"Action":|\\"Action\\":|\d+ passed|Ran \d+ tests?|test result: ok|# pass \d|["'](?:not )?ok \d`

// everywhere are what lines of any language do: first what no product sets, then what ralph and
// git's callers set in the environment of a gate, which the product sees nowhere else.
var everywhere = []suspicion{
	{lazyregexp.New(`(?:\benviron(?:\.setdefault\(|\[)\s*|\bprocess\.env[.[]|\b(?:[Ss]etenv|set_var|putenv)\(\s*)["']?(?i:\w*(?:UPDATE|REGEN\w*|OVERWRITE|BLESS|RERECORD)_?(?:\w+_)?(?:GOLDENS?|SNAP(?:SHOT)?S?|EXPECT\w*|BASELINES?|FIXTURES?)|(?:\w+_)?(?:GOLDENS?|SNAP(?:SHOT)?S?)_(?:UPDATE|OVERWRITE)|INSTA_UPDATE|INSTA_FORCE_PASS|TRYBUILD)["']?\]?\s*(?:,|(?:\|\||\?\?)?=[^=])`), writesExpected, false},
	{lazyregexp.New(`\bRALPH_[A-Z]|\bGIT_TERMINAL_PROMPT\b|\bGIT_EDITOR\b|\bPAGER\b[^\n]{0,20}\bcat\b|\bdont_write_bytecode\b(?:\s*(?:[^=\s]|==)|\s*$)|\bPYTHONDONTWRITEBYTECODE\b`), findsTests, false},
}

// suspicions are by language. The languages are those in which tests run in the
// process of the product, or in which the product can read them.
var suspicions = sync.OnceValue(func() map[string][]suspicion {
	return map[string][]suspicion{
		"go": {
			{lazyregexp.New(`\btime\.Now\(\)(?:\.UTC\(\))?\.(?:Unix\w*\(\)\s*(?:[<>]|[=!]=)=?\s*\d{4}|(?:Year|YearDay|Month|Day|Weekday)\(\)\s*(?:[<>]|[=!]=)|(?:After|Before|Compare|Sub)\(time\.(?:Date|Unix\w*)\()|\btime\.(?:Since|Until)\(time\.(?:Date|Unix)\(|\.Year\(\)\s*[<>]=?\s*2\d{3}\b|[<>]=?\s*(?:1[6-9]|2\d)[\d_]{8,}\b|\bos\.Getpp?id\(`), looksAround, false},
			{lazyregexp.New(`\bos\.Getwd\b|\bos\.L?[sS]tat\("(?:\./)?(?:go\.mod|go\.sum)"`), looksAround, true},
			{lazyregexp.New("\\b(?:os\\.(?:ReadDir|DirFS)|(?:filepath|fs)\\.(?:Glob|Walk\\w*)|ioutil\\.ReadDir)\\((?:os\\.DirFS\\()?\\s*[\"`](?:\\.{0,2}/?|\\*[^\"`]*)[\"`]"), findsTests, true},
			{lazyregexp.New(`\b(?:syscall|unix)\.(?:Exit|Kill|Exec|Raw\w*[Ss]yscall\w*|Syscall\w*)\b|\bos\.StartProcess\b|\bos\.FindProcess\(os\.Getpp?id|\bos\.NewFile\(\s*[12]\b`), endsProcess, false},
			{lazyregexp.New(`\bos\.Exit\b|\bruntime\.Goexit\b`), endsProcess, true},
			{lazyregexp.New(runnerOutput), forgesReport, false},
			{lazyregexp.New(`_test(?:\.go)?\b["` + "`" + `]|_test\.go|"\.test\b|"-?test\.|\btesting\.(?:Testing|Short|Verbose|CoverMode|M|T|MainStart|Init)\b|\bflag\.(?:Lookup|Parsed|CommandLine|Visit(?:All)?)\b|\bexpvar\.Get\(|\bbuildinfo\.Read|\bsyscall\.Environ\b`), findsTests, false},
			{lazyregexp.New(`\bos\.Args\b`), findsTests, true},
			{lazyregexp.New(`\bos\.Chdir\(`), changesLibrary, true},
			{lazyregexp.New(`\bruntime\.(?:NumGoroutine|ReadMemStats|GoroutineProfile)\b|\bpprof\.Lookup\b|\blog\.New\([^\n]*,\s*[1-9]\w*\)`), findsCaller, false},
			{lazyregexp.New(`\blog\.L(?:short|long)file\b|\bAddSource\b`), findsCaller, true},
			{lazyregexp.New(`\bruntime\.(?:Callers?|CallersFrames|FuncForPC|Stack)\b|(?:=|\b(?:strings|bytes|regexp|len|\w+\.Match\w*)(?:\.\w+)?\()\s*(?:string\()?debug\.Stack\b`), findsCaller, false},
			{lazyregexp.New(`\bdebug\.ReadBuildInfo\b`), findsCaller, true},
			{lazyregexp.New(`\bos\.Executable\b|/proc/(?:self|\d|%d)`), startsSelf, false},
			{lazyregexp.New(`(?m)//go:(?:linkname|norace)\b|^\s*(?:import )?(?:\w+ )?"(?:C|unsafe|plugin)"|^[ \t]*(?:import )?\.[ \t]*"(?:os|syscall|runtime(?:/\w+)?|testing|flag|log(?:/slog)?|golang\.org/x/sys/unix)"|\bos\.Std(?:out|err)\s*=[^=]|\b(?:syscall|unix)\.(?:Mprotect|Mmap|Dup[23]?)\b`), changesCode, false},
			{lazyregexp.New(`"go/(?:build|parser|ast|scanner|types)"|"golang\.org/x/tools/go/packages"|\bexec\.Command(?:Context)?\((?:\w+,\s*)?"(?:grep|rg|find|awk|sed|tar|cat|git",\s*"grep)"|(?m:^//go:embed\b[^\n]*(?:\*\.go|_tes\S*|_test\S*)(?:\s|$))`), findsTests, false},
			{lazyregexp.New(`(?m)^\s*(?:const|var|func|type)\s+(?:true|false|nil|iota|len|cap|append|copy|panic|recover|print|println|string|int|error|bool|byte|rune)\b|^\s*(?:true|false|nil)\s*(?:,[^=\n]*)?=[^=]`), changesCode, false},
		},
		"python": {
			{lazyregexp.New(`\.(?:getTestCaseNames|loadTestsFrom\w+|testMethodPrefix|sortTestMethodsUsing|_callTestMethod|_callSetUp|addSuccess|addFailure|addError|addSubTest|wasSuccessful|failureException|runtest)\s*=[^=]|\bsetattr\([^)\n]*["'](?:getTestCaseNames|loadTestsFrom\w+|testMethodPrefix|_callTestMethod|addFailure|addError|wasSuccessful|failureException|runtest)["']`), replacesRunner, false},
			{lazyregexp.New(`\b(?:time\.)?(?:time|time_ns|monotonic|monotonic_ns)\(\)\s*(?:[<>]=?|[=!]=|%)\s*[\d_]{4}|\b[\d_]{6,}(?:\.\d*)?\s*[<>]=?\s*time\.|\b(?:now|utcnow|today)\([^)\n]*\)(?:\.\w+(?:\(\))?)?\s*(?:[<>]=?|[=!]=)\s*(?:\d|(?:datetime\.|dt\.)*(?:date|datetime)\()|\byear\s*[<>]=?\s*2\d{3}\b|[<>]=?\s*(?:1[6-9]|2\d)[\d_]{8,}\b|\bos\.getp?pid\(|\blen\((?:os\.getcwd\(|__file__|str\(Path)|\b(?:getmtime|getctime|stat)\(\s*__file__|\bin __file__|\b__file__(?:\.\w+\(|\s*[!=]=)|\bre\.\w+\([^)\n]*__file__`), looksAround, false},
			{lazyregexp.New(`\bos\.getcwdb?\(|\bPath\.cwd\(|\b(?:is(?:dir|file)|l?exists)\(\s*["'](?:\./)?(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|conftest\.py)["']`), looksAround, true},
			{lazyregexp.New(`\bsys\.argv\b|\bfrom sys import\b.*\bargv\b`), findsTests, true},
			{lazyregexp.New(`\bos\.(?:listdir|scandir|walk|fwalk)\(\s*(?:["']\.{0,2}/?["']\s*)?\)|\bglob\.i?glob\(\s*f?["'](?:\./)?[*?\[]|\bPath\((?:["']\.{0,2}/?["'])?\)\.(?:iterdir|r?glob|walk)\(`), findsTests, true},
			{lazyregexp.New(`\bsys\.path(?:\.\w+\(|\[[^\]\n]*\]\s*=[^=]|\s*\+?=[^=])|\bsite\.(?:addsitedir|main)\b|\bfrom sys import\b.*\bpath\b|\b__path__(?:\s*\+?=[^=]|\.(?:append|insert|extend|clear|remove|pop|reverse)\b|\[)|\bextend_path\b|\b__path__[ \t]*,[^\n=]*=[^=]`), changesPath, false},
			{lazyregexp.New(`\bos\.(?:_exit|abort|exec[lv]\w*|kill|posix_spawnp?|dup2)\b|\bos\.close\(\s*[012]\s*\)|\b(?:raise_signal|interrupt_main|pthread_kill|_register_atexit)\b|\b(?:util|multiprocessing)\.Finalize\(|\batexit\.|\bfrom\s+atexit\b|=\s*atexit\b|\bsys\.unraisablehook\b|\bfaulthandler\._|\bimport .*\b_exit\b|\bparse_(?:known_)?args\(\s*[\[(]\s*["']-(?:h|V|-help|-version)["']|\b(?:Argument|Option)Parser\([^)\n]*\)\.exit\(`), endsProcess, false},
			{lazyregexp.New(`\bsys\.exit\b|\bSystemExit\b|(?:^|[\s:])(?:quit|exit)\(|\bKeyboardInterrupt\(`), endsProcess, true},
			{lazyregexp.New(runnerOutput), forgesReport, false},
			{lazyregexp.New(`(?m)["'/](?:tests?[/._]|test_)|^[ \t]*(?:from|import)[ \t]+\.*(?:test_\w+|\w+_test|tests)\b|_tests?\.py\b|(?i:\bunittest|pytest|\bnose)|\bsys\.(?:modules|argv\[0\])|\bTestCase\b|\bdoctest\b|\b(?:join|open|listdir|scandir|i?glob|Path)\([^)\n]*["'/](?:tests?|spec)["'/]|\bimport[ (]+(?:[\w., ]*\b)?__main__\b|\b__main__\.\w|["']__main__["']\]|\bsys\.orig_argv\b|\bArgumentParser\([^)\n]*\)\.prog\b|\b__debug__\b|\bsys\.flags\b|["']_?(?:base)?[aA]ssert[A-Z]\w*["']|\b(?:is(?:dir|file)|l?exists)\(\s*["'](?:\./)?tests?/?["']|(?:\)|\bparent|\bparents\[\d\])\s*/\s*["']tests?["']|\benviron\b[^\n]*["'](?:\w*_)?TEST(?:S|ING)?(?:_\w*)?["']|["'](?:\w*_)?TEST(?:S|ING)?(?:_\w*)?["'] in \w[^\n]*\benviron\b|\b(?:(?:Base)?Exception|str|int|float|dict|list)\.__subclasses__`), findsTests, false},
			{lazyregexp.New(`\bsys\._(?:getframe|current_frames)|\binspect\.(?:stack|currentframe|trace|getouterframes|getsource\w*)\b|\btraceback\.(?:extract_stack|walk_stack|format_stack|print_stack)\b|\bfrom (?:inspect|gc|traceback) import\b|\bgc\.get_|\bf_(?:back|locals|globals|code)\b|\bco_(?:consts|code|filename|name)\b|\blinecache\b|\bcurrentframe\b|\bfindCaller\b|\bfuncName\b|\btracemalloc\b|\bfaulthandler\.(?:dump|register)|\bimport\b[^\n]*\bdump_traceback|\bcatch_warnings\([^)\n]*record|/proc/(?:self|thread-self|\d|%|\{)|%\((?:pathname|filename|module|funcName|lineno)\)`), findsCaller, false},
			{lazyregexp.New(`\brunpy\.run_\w+|\bspec_from_file_location\b|\bSourceFileLoader\b`), runsFile, false},
			{lazyregexp.New(`\bsys\.(?:settrace|setprofile|monitoring|meta_path|path_hooks|stdout\s*=|stderr\s*=)|\bbuiltins\b|__builtins__|\bimportlib\.(?:abc|machinery)\b|\b(?:module_from_spec|spec_from_loader|cache_from_source|source_from_cache|decode_source|LazyLoader)\b|(?m:\bfind_spec\([^)\n]*\)\s*(?:\.|$))|\bctypes\b|\bmarshal\b|__pycache__|\.pyc\b|\bopen\([^)\n]*\.py["'][^\n]*["'][wax]|\.py["']\)*\.write_|\bimport_module\([^)\n]*\)(?:\.\w+)+\s*=[^=]|(?:\.|["'])__init_subclass__(?:["']|\s*=[^=])|\bsys\.addaudithook\b|\b(?:object|type)\.__subclasses__\b|\b__annotations__\[[^\]\n]*\]\s*=[^=]|\b__(?:class|code|dict|globals)__\s*=[^=]|\b__(?:kw)?defaults__\b|\b(?:globals|locals|vars)\(\)\[[^\]\n]*\](?:\.\w+)+\s*=[^=]`), changesCode, false},
			{lazyregexp.New(`\b(?:c?[pP]ickle|dill|joblib|shelve|cloudpickle)\.(?:loads?|open|Unpickler)\b|(?:^|[^\w.])(?:exec|eval|compile|__import__)\(|\btimeit\.(?:timeit|repeat|Timer)\(|\bgetattr\((?:os|sys|builtins)\b|\bfrom (?:os|sys) import[ (]*\*`), changesCode, false},
			{lazyregexp.New(`\breset_mock\b`), findsTests, false},
			{lazyregexp.New(`\bcode\.interact\(|\bInteractive(?:Console|Interpreter)\(`), changesCode, true},
			{lazyregexp.New(`(?m)^(?:decimal\.)?(?:getcontext\(\)\.\w+\s*=[^=]|setcontext\()|^\w+\s*=\s*(?:decimal\.)?getcontext\(\)\s*$|\btzset\(|\benviron\[["'](?:TZ|LANG|LC_\w+)["']\]\s*=[^=]`), changesLibrary, false},
			{lazyregexp.New(`\bos\.environ\.setdefault\(\s*(?:[^"'\s]|["'](?:[^D"'\n]|D[^J"'\n]))|\brandom\.(?:seed|setstate)\(|(?m)^(?:warnings\.)?(?:filterwarnings|simplefilter)\(`), changesLibrary, true},
			{lazyregexp.New(`\bdef __(?:eq|contains|instancecheck|subclasscheck)__\b.*:\s*return (?:True|1|not False)\b|\b__(?:eq|ne)__\b[^\n=(!<>]*=[^=]|\bas __(?:eq|ne)__\b|["']__eq__["']|\b(?:math|cmath)\.isclose\s*=`), equalsAll, false},
			{lazyregexp.New(`(?m)^(?:(?:def|class)\s+(?:zip|all|any|len|sum|sorted|range|isinstance|issubclass|abs|round|enumerate|bool|repr|hasattr|getattr)\b|(?:zip|all|any|len|sum|sorted|range|isinstance|issubclass|abs|round|enumerate|bool|repr|hasattr|getattr)\s*=[^=])`), changesCode, false},
			{lazyregexp.New(`\bcontextlib\.chdir\(|\bfrom contextlib import\b.*\bchdir\b|\bos\.(?:f?chdir|chroot|putenv|unsetenv)\(|\bos\.environ(?:b?\[[^\]\n]*\]\s*=[^=]|\.(?:update|clear|pop)\()|(?m)^[A-Za-z_]\w*(?:\[[^\]\n]*\])?(?:\.\w+)+\s*=\s*lambda\b`), changesLibrary, false},
			{lazyregexp.New(`\bsys\.__std(?:in|out|err)__|\bwarnings\.filters\b|\bRecursionError\b|\bgetrecursionlimit\b`), findsCaller, false},
			{lazyregexp.New(`\b(?:run|Popen|call|check_\w+|getoutput|system|popen)\(\s*\[?\s*["'](?:(?:grep|rg|find|awk|sed|tar|cat)\b|git["', ]+grep\b)|\b(?:add|make_archive|copytree|compile_dir)\([^)\n]*["']\.{1,2}/?["']`), findsTests, false},
		},
		"js": {
			{lazyregexp.New(`\bDate\.now\(\)\s*(?:[<>]=?|[=!]==?|%)\s*[\d_]{4}|\bnew Date\(\)(?:\.get\w+\(\))?\s*(?:[<>]=?|[=!]==?)\s*(?:\d|new Date\(\s*['"\d])|\bgetFullYear\(\)\s*[<>]=?\s*2\d{3}\b|[<>]=?\s*(?:1[6-9]|2\d)[\d_]{8,}\b|\bprocess\.p?pid\b|\b__(?:dir|file)name\.length\b|\bprocess\.uptime\(`), looksAround, false},
			{lazyregexp.New(`\bprocess\.cwd\(|\bexists(?:Sync)?\(\s*['"](?:\./)?package(?:-lock)?\.json['"]`), looksAround, true},
			{lazyregexp.New(`\b(?:readdir|opendir|glob)(?:Sync)?\(\s*(?:['"](?:\.{0,2}/?|\*[^'"\n]*)['"]|__dirname|process\.cwd\(\))|\bexists(?:Sync)?\(\s*['"](?:\./)?(?:tests?|spec|__tests__)/?['"]|\bimport\.meta\.glob\([^)\n]*\*(?:\.\{?[cm]?[jt][^'"\n]*)?['"][^)\n]*\braw\b`), findsTests, true},
			{lazyregexp.New(`\bprocess\.(?:reallyExit|kill|abort|dlopen)\b|\bwriteSync\(\s*[12]\s*,|\bprocess\.(?:on|once|addListener)\(\s*['"](?:exit|beforeExit)`), endsProcess, false},
			{lazyregexp.New(`\bprocess\.(?:on|once|addListener)\(\s*['"](?:uncaughtException|unhandledRejection)|\bprocess(?:\?)?\.exit(?:Code)?\b|\bprocess(?:\?\.)?\[|\{[^}\n]*\bexit(?:Code)?\b[^}\n]*\}\s*=\s*process\b`), endsProcess, true},
			{lazyregexp.New(runnerOutput), forgesReport, false},
			{lazyregexp.New(`NODE_TEST_CONTEXT|\bprocess\.env(?:\.|\[['"])(?:\w*_)?TEST(?:S|ING)?(?:_\w+)?\b|\b(?:join|resolve|readdir\w*|readFile\w*)\([^)\n]*["'/](?:tests?|spec)["'/]|JEST_WORKER|\bVITEST\b|\bnpm_(?:lifecycle|package|command|config|execpath|node)|\bINIT_CWD\b|\.(?:test|spec)\.[cm]?[jt]sx?\b|__tests__|['"](?:node:test|vitest|mocha|jest|@jest/globals)['"]|\b(?:globalThis|global|window)\.(?:test|it|expect|describe|beforeEach|afterEach|beforeAll|afterAll|jest|vi)\b|\bprocess(?:\?)?\.(?:execArgv|argv(?:\[1\]|\.at\(1\)))|\bprocess\?\.argv\b|\brequire\.(?:cache|extensions)\b|\bmodule\.(?:parent|children)\b|['"](?:(?:deep)?(?:S|s)trictEqual|(?:deep|notDeep)Equal|to(?:Be|Equal|StrictEqual|Match\w*))['"]|\bprocess\.mainModule\b|\brequire\.main(?:\?\.|\.|\[|\s*(?:&&|\|\||\?\?|\?|[;,]|$))`), findsTests, false},
			{lazyregexp.New(`\bError\.(?:prepareStackTrace|stackTraceLimit)\b|\bcaptureStackTrace\(\s*(?:[^t\s]|t[^h])|\.stack\b\s*(?:\?\.|\.)(?:split|includes|match|indexOf|search|slice|replace)\b|new Error\([^)]*\)\.stack\b|\barguments\.callee\b|\bgetCallSites?\b|/proc/(?:self|thread-self|\d|\$\{)|\bprocess\.(?:report|title|argv0)\b`), findsCaller, false},
			{lazyregexp.New(`\bassert(?:\.strict)?\.\w+\s*=[^=]|\bexpect\.\w+\s*=[^=]|\bprocess\.(?:stdout|stderr)\.\w+\s*=[^=]|` + syntax.LoadsScript + `(?:node:)?(?:module|vm|inspector)['"` + "`" + `]|\b(?:eval|Function)\(|\bregisterHooks?\b|\bObject\.(?:is|keys|getPrototypeOf)\s*=[^=]|\b(?:Array|Object|String|Number|Map|Set|Date|Promise|RegExp|Function)\.prototype\.\w+\s*=[^=]`), changesCode, false},
			{lazyregexp.New(`\bprocess\.env\.TZ\s*(?:\?\?|\|\|)?=[^=]`), changesLibrary, true},
			{lazyregexp.New(`\brequire\(\s*['"][\w@/:-]+['"]\s*\)(?:\.[\w$]+|\[[^\]\n]+\])+\s*=[^=>]|\b(?:Object|Reflect)\.(?:assign|define\w+|set\w*)\(\s*require\(`), changesLibrary, false},
			{lazyregexp.New(`\b(?:getOwnProperty(?:Names|Symbols|Descriptors)|ownKeys|keys|entries|values)\(\s*(?:globalThis|global|window)\s*\)|\bfor\s*\(\s*(?:(?:const|let|var)\s+)?\w+\s+in\s+(?:globalThis|global|window)\b|\bReflect\.(?:get|has)\(\s*(?:globalThis|global|window|process)\b`), findsTests, false},
			{lazyregexp.New(`(?:\.|\[['"])_compile\b`), changesCode, false},
			{lazyregexp.New(`\bmock(?:Clear|Reset|Restore)\(|\bresetCalls\(`), findsTests, false},
			{lazyregexp.New(`\bSymbol\.toPrimitive\b|\basymmetricMatch\b`), equalsAll, false},
			{lazyregexp.New(`\b(?:Object|Reflect)\.(?:assign|define\w+|set\w*)\(\s*(?:Array|Object|String|Number|Map|Set|Date|Promise|RegExp|Function|JSON|Math|Reflect|Symbol|globalThis|global|window|console|Buffer)\b|\b__proto__\b|\b(?:Object|JSON|Math|Array|Number|String|Promise|Reflect|console)\.\w+\s*=[^=>]`), changesCode, false},
			{lazyregexp.New(`\bprocess\.env(?:\.\w+|\[[^\]\n]+\])\s*=[^=]|\bprocess\.chdir\(`), changesLibrary, false},
			{lazyregexp.New(`\bprocess\.(?:noDeprecation|throwDeprecation)\s*=[^=]`), changesLibrary, true},
			{lazyregexp.New(`\b\w+\.caller\b|\b(?:execution|trigger)Async(?:Id|Resource)\b|\bprocess\.(?:listenerCount|listeners|rawListeners|eventNames|moduleLoadList|_getActive\w+|getActiveResourcesInfo)\b`), findsCaller, false},
			{lazyregexp.New("\\b(?:exec|spawn)\\w*\\(\\s*['\"`](?:(?:grep|rg|find|awk|sed|tar|cat|ls)\\b|git['\"`, []+grep\\b)"), findsTests, false},
			{lazyregexp.New("\\b(?:NODE_ENV|import\\.meta\\.env\\.MODE)\\b[^\n]{0,12}['\"`]test['\"`]|['\"`]test['\"`]\\s*[=!]==?[^\n]{0,30}\\b(?:NODE_ENV|MODE)\\b|\\bimport\\.meta\\.vitest\\b"), findsTests, false},
		},
		"rust": {
			{lazyregexp.New(`\bprocess::(?:exit|abort)\b|\blibc::|\bextern "C"|\basm!`), endsProcess, true},
			{lazyregexp.New(runnerOutput), forgesReport, false},
			{lazyregexp.New(`\bcfg!\(\s*test\b|\bnot\(test\)|\bdebug_assertions\b|\btests?/|\bcurrent_exe\b|\bthread::current\(\)\.name\b`), findsTests, false},
			{lazyregexp.New(`\b(?:todo|unimplemented)!\(`), notImplemented, false},
			{lazyregexp.New(`\bpanic::(?:set_hook|take_hook|catch_unwind)\b|\bthread::panicking\b`), changesCode, false},
			{lazyregexp.New(`link_section|init_array|#\[ctor|no_mangle|\bBacktrace\b|Location::caller`), changesCode, false},
			{lazyregexp.New(`\benv::var(?:_os)?\(\s*"CARGO|\binclude(?:_str|_bytes)?!\s*\(\s*concat!|\bread_dir\(\s*"\.{0,2}/?"|\bCommand::new\(\s*"(?:(?:grep|rg|find|awk|sed|tar|cat)"|git"\)\.args?\(\W*"grep)`), findsTests, false},
			{lazyregexp.New(`\benv::(?:args|vars)(?:_os)?\(`), findsTests, true},
			{lazyregexp.New(`\benv::current_dir\(|\bPath(?:Buf)?::(?:new|from)\(\s*"\.{1,2}/?"\s*\)`), looksAround, true},
			{lazyregexp.New(`\bproc_macro(?:_derive|_attribute|2)?\b`), changesCode, false},
			{lazyregexp.New(`\benv::set_(?:var|current_dir)\(`), changesLibrary, false},
			{lazyregexp.New(`\bfn (?:eq|ne|partial_cmp|cmp)\(&self,\s*_\w*\s*:`), equalsAll, false},
		},
		"ruby": {
			{lazyregexp.New(`\bexit!|\bat_exit\b|Process\.(?:kill|exit)`), endsProcess, false},
			{lazyregexp.New(`\b(?:exit|abort)\b`), endsProcess, true},
			{lazyregexp.New(`\bRSpec\b|\bMinitest\b|\bTest::Unit\b|_spec\b|_test\.rb|["']spec/`), findsTests, false},
			{lazyregexp.New(`\bcaller(?:_locations)?\b|\bObjectSpace\b|\bTracePoint\b|\bset_trace_func\b`), findsCaller, false},
			{lazyregexp.New(`(?m)^\s*class (?:Integer|String|Array|Hash|Object|NilClass|Symbol|BasicObject|Float)\b|\b(?:class|instance|module)_eval\b|\bdefine_method\b|\beval\b`), changesCode, false},
			{lazyregexp.New(`\bdef (?:==|eql\?|equal\?|===).*\s*true\b`), equalsAll, false},
		},
		"php": {
			{lazyregexp.New(`\bregister_shutdown_function\b|\bposix_kill\b`), endsProcess, false},
			{lazyregexp.New(`\b(?:exit|die)\b\s*[(;]`), endsProcess, true},
			{lazyregexp.New(`\bPHPUnit\b|Test\.php\b|\bTestCase\b`), findsTests, false},
			{lazyregexp.New(`\bdebug_(?:print_)?backtrace\b|->getTrace\b`), findsCaller, false},
			{lazyregexp.New(`\beval\s*\(|\bob_start\b|\bspl_autoload_register\b|\bstream_wrapper_\w+`), changesCode, false},
		},
		"jvm": {
			{lazyregexp.New(`\bRuntime\.getRuntime\(\)\.(?:halt|exit|addShutdownHook)|\bhalt\(`), endsProcess, false},
			{lazyregexp.New(`\bSystem\.exit\b|\bexitProcess\b`), endsProcess, true},
			{lazyregexp.New(`\b(?:surefire|failsafe)-reports\b|\btest-results\b|<testsuites?\b|<testcase\b`), forgesReport, false},
			{lazyregexp.New(`\borg\.junit\b|\bsurefire\b|src/test`), findsTests, false},
			{lazyregexp.New(`\bStackTraceElement\b|\bgetStackTrace\b|\bStackWalker\b`), findsCaller, false},
			{lazyregexp.New(`(?m)^\s*(?:(?:public|final|abstract|open|data|internal)\s+)*(?:class|object|interface|enum|record)\s+(?:Objects|Arrays|Math|String|Integer|Long|Double|Boolean|System|List|Map|Set|Collections|Optional|BigDecimal)\b`), changesCode, false},
		},
		"c": {
			{lazyregexp.New(`(?m)^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:NDEBUG|__OPTIMIZE__)\b`), findsTests, false},
			{lazyregexp.New(`(?m)^\s*#\s*(?:define|undef)\s+(?:assert|__assert(?:_fail|_rtn)?|static_assert|main|_?exit|abort|f?printf|f?puts|strn?cmp|memcmp|if|else|return|while|for|int|NDEBUG|CU_\w+|TEST\w*|EXPECT\w*|ASSERT\w*|REQUIRE|CHECK)\b`), changesCode, false},
			{lazyregexp.New(`\b(?:con|de)structor\b[^;\n]*\)\)|\b(?:init|fini)_array\b|\b(?:__)?asm(?:__)?\s*(?:__)?(?:volatile)?(?:__)?\s*\(|(?m)^\s*#\s*pragma\s+(?:weak|redefine_extname)|\b_Pragma\s*\(\s*"weak|\balias\s*\(\s*"|(?:^|[\w*])\s+\*?\s*(?:__assert_fail|__assert|abort|exit|strn?cmp|memcmp|strcasecmp|printf|puts|fputs|write)\s*\([^;]*\)\s*\{|\b__(?:real|wrap)_\w+\s*\(|\bdlsym\s*\(|\bmprotect\s*\(|\bno_sanitize`), changesCode, false},
			{lazyregexp.New(`\b(?:atexit|on_exit|quick_exit|_Exit|_exit|siglongjmp|longjmp|thrd_exit|pthread_exit|syscall|ptrace|posix_spawnp?|execl[pe]?|execv[pe]*|v?fork)\s*\(`), endsProcess, false},
			{lazyregexp.New(`\b(?:exit|abort|raise|kill|signal|sigaction|sigprocmask|sigblock|alarm|prctl|dup2|freopen|close\s*\(\s*[012]\s*\)|fclose\s*\(\s*std(?:out|err))\s*[();]`), endsProcess, true},
			{lazyregexp.New(runnerOutput), forgesReport, false},
			{lazyregexp.New(`\b(?:backtrace|dladdr|getppid|__builtin_(?:return|frame)_address)\s*\(|/proc/(?:self|%)|\bprogram_invocation_(?:short_)?name\b|\bgetenv\s*\(\s*"(?:MAKE\w*|MFLAGS|CTEST\w*|GTEST\w*)"`), findsCaller, false},
			{lazyregexp.New(`["/](?:tests?[/_.]|test_)|\b(?:opendir|access|stat)\s*\(\s*"(?:\./)?tests?["/]`), findsTests, false},
		},
		"perl": {
			{lazyregexp.New(`\bPOSIX::_exit\b|\b_exit\s*\(|\bEND\s*\{|\bkill\s+|\$SIG\{|\bsyscall\s*\(|\bdump\b\s*;`), endsProcess, false},
			{lazyregexp.New(`(?m)(?:^|[\s;{])(?:exit|exec)\b`), endsProcess, true},
			{lazyregexp.New(runnerOutput), forgesReport, false},
			{lazyregexp.New(`\bTest2?::\w|\bTAP::|\bHARNESS_\w+|\bTODO\b.*=|\$0\b|["'/]t/|\.t["']`), findsTests, false},
			{lazyregexp.New(`\bcaller\b|\bDevel::|\bB::|\bPadWalker\b`), findsCaller, false},
			{lazyregexp.New(`\*\{|\*(?:main|CORE|[A-Z]\w*)::\w+\s*=|\bno strict\b|\bSymbol::|\bSub::\w+|\bsource filter|\bFilter::|\beval\s+[^{\s]|\bCORE::GLOBAL\b|\buse\s+lib\b|@INC\b|%INC\b|\$INC\{`), changesCode, false},
			{lazyregexp.New(`\buse\s+overload\b`), equalsAll, false},
		},
		"tcl": {
			{lazyregexp.New(`(?m)(?:^|[\s;{[])(?:exit|rename)\s|\binterp\s+(?:alias|hide)\b|\btrace\s+add\b`), endsProcess, false},
			{lazyregexp.New(`\bproc\s+::(?:test|tcltest)|\btcltest\b`), findsTests, false},
			{lazyregexp.New(`\binfo\s+(?:level|frame|script)\b|\bargv0\b`), findsCaller, false},
		},
		"shell": {
			{lazyregexp.New(`\btrap\b[^\n]*\bexit\b|\btrap\s[^\n]*\b(?:DEBUG|RETURN)\b|\balias\s+[^\s=]+=|(?m)^\s*(?:function\s+)?(?:diff|cmp|comm|grep|test|exit|\[|cat|echo|printf|set|return|false|true|command|builtin)\s*\(\)|(?m)^\s*function\s+(?:diff|cmp|comm|grep|test|exit|\[|cat|echo|printf|set|return|false|true|command|builtin)\s|\breadonly\s+-f\b`), changesCode, false},
			{lazyregexp.New(`(?m)(?:^|[;&|{(])\s*(?:set\s+-(?:[a-z]*n[a-z]*\b|o\s+noexec\b)|hash\s+-p\b|enable\s+-[a-z]*[nf])|^(?:declare|typeset)\s+-\w*n\w*\s`), changesCode, false},
			{lazyregexp.New(`\bcase\s+"?\$\{?0|\bexpected?(?:[./_-]\w*)?\.(?:txt|out|json|csv)\b|\$\{?(?:0|BATS\w*)\b[^\n]*test`), findsTests, false},
			{lazyregexp.New(`\btests?/|[\w-]*[_-]?tests?\.(?:sh|bash|bats)\b|\btest[_-]\w+\.sh\b|\.bats\b`), findsTests, false},
			{lazyregexp.New(`\bPPID\b|/proc(?:/(?:self|thread-self|[^a-z\s])|/?(?:[\s"';)|&<>]|$))|\bkill\b|\bcaller\b|BASH_SOURCE|\bFUNCNAME\b|\bps\b -`), findsCaller, false},
		},
	}
})
