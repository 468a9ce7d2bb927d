package suspect

var suspectRust = []group{
	{endsProcess, true, []form{
		{"an end", `\bprocess::(?:exit|abort)\b`},
		{"code of other languages", `\blibc::|\bextern "C"|\basm!`},
	}},
	{forgesReport, false, runnerOutput},
	{findsTests, false, []form{
		{"the build of tests", `\bcfg!\(\s*test\b|\bnot\(test\)|\bdebug_assertions\b`},
		{"the names of tests and their folders", `\btests?/`},
		{"the program and the thread of a test", `\bcurrent_exe\b|\bthread::current\(\)\.name\b`},
		{"variables and files of cargo", `\benv::var(?:_os)?\(\s*"CARGO|\binclude(?:_str|_bytes)?!\s*\(\s*concat!`},
		{"a list of the current folder", `\bread_dir\(\s*"\.{0,2}/?"`},
		{"a search through the sources by another program", `\bCommand::new\(\s*"(?:(?:grep|rg|find|awk|sed|tar|cat)"|git"\)\.args?\(\W*"grep)`},
	}},
	{findsTests, true, []form{
		{"arguments and variables", `\benv::(?:args|vars)(?:_os)?\(`},
	}},
	{notImplemented, false, []form{
		{"a mark for what is left to do", `\b(?:todo|unimplemented)!\(`},
	}},
	{changesCode, false, []form{
		{"what happens in a panic", `\bpanic::(?:set_hook|take_hook|catch_unwind)\b|\bthread::panicking\b`},
		{"code that runs before main, or that is linked", `link_section|init_array|#\[ctor|no_mangle`},
		{"code that writes code", `\bproc_macro(?:_derive|_attribute|2)?\b`},
	}},
	{findsCaller, false, []form{
		{"the stack", `\bBacktrace\b|Location::caller`},
	}},
	{looksAround, true, []form{
		{"the current folder", `\benv::current_dir\(|\bPath(?:Buf)?::(?:new|from)\(\s*"\.{1,2}/?"\s*\)`},
	}},
	{changesLibrary, false, []form{
		{"variables, or another current folder", `\benv::set_(?:var|current_dir)\(`},
	}},
	{equalsAll, false, []form{
		{"an own equality", `\bfn (?:eq|ne|partial_cmp|cmp)\(&self,\s*_\w*\s*:`},
	}},
}

var suspectRuby = []group{
	{endsProcess, false, []form{
		{"an end without clean-up, and code that runs at the end", `\bexit!|\bat_exit\b|Process\.(?:kill|exit)`},
	}},
	{endsProcess, true, []form{
		{"an end", `\b(?:exit|abort)\b`},
	}},
	{findsTests, false, []form{
		{"the names of runners", `\bRSpec\b|\bMinitest\b|\bTest::Unit\b`},
		{"the names of tests and their folders", `_spec\b|_test\.rb|["']spec/`},
	}},
	{findsCaller, false, []form{
		{"the stack", `\bcaller(?:_locations)?\b`},
		{"objects and calls of others", `\bObjectSpace\b|\bTracePoint\b|\bset_trace_func\b`},
	}},
	{changesCode, false, []form{
		{"classes of the language", `(?m:^\s*class (?:Integer|String|Array|Hash|Object|NilClass|Symbol|BasicObject|Float)\b)`},
		{"code from text, and methods", `\b(?:class|instance|module)_eval\b|\bdefine_method\b|\beval\b`},
	}},
	{equalsAll, false, []form{
		{"an own equality", `\bdef (?:==|eql\?|equal\?|===).*\s*true\b`},
	}},
}

var suspectPHP = []group{
	{endsProcess, false, []form{
		{"code that runs at the end, and signals", `\bregister_shutdown_function\b|\bposix_kill\b`},
	}},
	{endsProcess, true, []form{
		{"an end", `\b(?:exit|die)\b\s*[(;]`},
	}},
	{findsTests, false, []form{
		{"the names of runners and tests", `\bPHPUnit\b|Test\.php\b|\bTestCase\b`},
	}},
	{findsCaller, false, []form{
		{"the stack", `\bdebug_(?:print_)?backtrace\b|->getTrace\b`},
	}},
	{changesCode, false, []form{
		{"code from text", `\beval\s*\(`},
		{"output, and the loading of classes and files", `\bob_start\b|\bspl_autoload_register\b|\bstream_wrapper_\w+`},
	}},
}

var suspectJVM = []group{
	{endsProcess, false, []form{
		{"an end without clean-up, and code that runs at the end", `\bRuntime\.getRuntime\(\)\.(?:halt|exit|addShutdownHook)|\bhalt\(`},
	}},
	{endsProcess, true, []form{
		{"an end", `\bSystem\.exit\b|\bexitProcess\b`},
	}},
	{forgesReport, false, []form{
		{"reports of tests", `\b(?:surefire|failsafe)-reports\b|\btest-results\b|<testsuites?\b|<testcase\b`},
	}},
	{findsTests, false, []form{
		{"the names of runners and tests", `\borg\.junit\b|\bsurefire\b|src/test`},
	}},
	{findsCaller, false, []form{
		{"the stack", `\bStackTraceElement\b|\bgetStackTrace\b|\bStackWalker\b`},
	}},
	{changesCode, false, []form{
		{"a class with the name of one of the library", `(?m:^\s*(?:(?:public|final|abstract|open|data|internal)\s+)*(?:class|object|interface|enum|record)\s+(?:Objects|Arrays|Math|String|Integer|Long|Double|Boolean|System|List|Map|Set|Collections|Optional|BigDecimal)\b)`},
	}},
}

var suspectC = []group{
	{findsTests, false, []form{
		{"the build without asserts", `(?m:^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:NDEBUG|__OPTIMIZE__)\b)`},
		{"the names of tests and their folders", `["/](?:tests?[/_.]|test_)|\b(?:opendir|access|stat)\s*\(\s*"(?:\./)?tests?["/]`},
	}},
	{changesCode, false, []form{
		{"another meaning of a name of the language or library", `(?m:^\s*#\s*(?:define|undef)\s+(?:assert|__assert(?:_fail|_rtn)?|static_assert|main|_?exit|abort|f?printf|f?puts|strn?cmp|memcmp|if|else|return|while|for|int|NDEBUG|CU_\w+|TEST\w*|EXPECT\w*|ASSERT\w*|REQUIRE|CHECK)\b)|(?m:(?:^|[\w*])\s+\*?\s*(?:__assert_fail|__assert|abort|exit|strn?cmp|memcmp|strcasecmp|printf|puts|fputs|write)\s*\([^;]*\)\s*\{)`},
		{"code that runs before main", `\b(?:con|de)structor\b[^;\n]*\)\)|\b(?:init|fini)_array\b`},
		{"machine code", `\b(?:__)?asm(?:__)?\s*(?:__)?(?:volatile)?(?:__)?\s*\(`},
		{"another function under a name", `(?m:^\s*#\s*pragma\s+(?:weak|redefine_extname))|\b_Pragma\s*\(\s*"weak|\balias\s*\(\s*"|\b__(?:real|wrap)_\w+\s*\(|\bdlsym\s*\(`},
		{"memory of the process", `\bmprotect\s*\(`},
		{"checks of the compiler, switched off", `\bno_sanitize`},
	}},
	{endsProcess, false, []form{
		{"an end without clean-up, and code that runs at the end", `\b(?:atexit|on_exit|quick_exit|_Exit|_exit|siglongjmp|longjmp|thrd_exit|pthread_exit|syscall|ptrace|posix_spawnp?|execl[pe]?|execv[pe]*|v?fork)\s*\(`},
	}},
	{endsProcess, true, []form{
		{"an end, signals and the output of the process", `\b(?:exit|abort|raise|kill|signal|sigaction|sigprocmask|sigblock|alarm|prctl|dup2|freopen|close\s*\(\s*[012]\s*\)|fclose\s*\(\s*std(?:out|err))\s*[();]`},
	}},
	{forgesReport, false, runnerOutput},
	{findsCaller, false, []form{
		{"the stack and the parent process", `\b(?:backtrace|dladdr|getppid|__builtin_(?:return|frame)_address)\s*\(`},
		{"the process, as the system knows it", `/proc/(?:self|%)|\bprogram_invocation_(?:short_)?name\b`},
		{"variables of make and runners", `\bgetenv\s*\(\s*"(?:MAKE\w*|MFLAGS|CTEST\w*|GTEST\w*)"`},
	}},
}

var suspectPerl = []group{
	{endsProcess, false, []form{
		{"an end without clean-up, and code that runs at the end", `\bPOSIX::_exit\b|\b_exit\s*\(|\bEND\s*\{`},
		{"signals and system calls", `\bkill\s+|\$SIG\{|\bsyscall\s*\(`},
	}},
	{endsProcess, true, []form{
		{"an end", `(?m:(?:^|[\s;{])(?:exit|exec)\b)`},
	}},
	{forgesReport, false, runnerOutput},
	{findsTests, false, []form{
		{"the names of runners", `\bTest2?::\w|\bTAP::|\bHARNESS_\w+`},
		{"the names of tests and their folders", `\$0\b|["'/]t/|\.t["']`},
	}},
	{findsCaller, false, []form{
		{"the stack", `\bcaller\b|\bDevel::|\bPadWalker\b`},
		{"code, read back", `\bB::`},
	}},
	{changesCode, false, []form{
		{"another function under a name", `\*\{|\*(?:main|CORE|[A-Z]\w*)::\w+\s*=|\bCORE::GLOBAL\b`},
		{"code from text", `\beval\s+[^{\s]|\bFilter::`},
		{"the loading of modules", `\buse\s+lib\b|@INC\b|%INC\b|\$INC\{`},
	}},
	{equalsAll, false, []form{
		{"an own equality", `\buse\s+overload\b`},
	}},
}

var suspectTcl = []group{
	{endsProcess, false, []form{
		{"an end, and another command under a name", `(?m:(?:^|[\s;{[])(?:exit|rename)\s)|\binterp\s+(?:alias|hide)\b`},
		{"what watches commands", `\btrace\s+add\b`},
	}},
	{findsTests, false, []form{
		{"the runner of tests", `\btcltest\b`},
	}},
	{findsCaller, false, []form{
		{"the stack and the script", `\binfo\s+(?:level|frame|script)\b|\bargv0\b`},
	}},
}

var suspectShell = []group{
	{changesCode, false, []form{
		{"code at an end, or at each command", `\btrap\b[^\n]*\bexit\b|\btrap\s[^\n]*\b(?:DEBUG|RETURN)\b`},
		{"another command under a name", `\balias\s+[^\s=]+=|(?m:^\s*(?:function\s+)?(?:diff|cmp|comm|grep|test|exit|\[|cat|echo|printf|set|return|false|true|command|builtin)\s*\(\))|(?m:^\s*function\s+(?:diff|cmp|comm|grep|test|exit|\[|cat|echo|printf|set|return|false|true|command|builtin)\s)`},
		{"a shell that runs nothing, or other commands", `(?m:(?:^|[;&|{(])\s*(?:set\s+-(?:[a-z]*n[a-z]*\b|o\s+noexec\b)|hash\s+-p\b|enable\s+-[a-z]*[nf]))`},
		{"a name for another variable", `(?m:^(?:declare|typeset)\s+-\w*n\w*\s)`},
		{"a function that stays", `\breadonly\s+-f\b`},
	}},
	{findsTests, false, []form{
		{"what a script is called by", `\bcase\s+"?\$\{?0|\$\{?(?:0|BATS\w*)\b[^\n]*test`},
		{"files of what is expected", `\bexpected?(?:[./_-]\w*)?\.(?:txt|out|json|csv)\b`},
		{"the names of tests and their folders", `\btests?/|[\w-]*[_-]?tests?\.(?:sh|bash|bats)\b|\btest[_-]\w+\.sh\b|\.bats\b`},
	}},
	{findsCaller, false, []form{
		{"the process and its parent", `\bPPID\b|/proc(?:/(?:self|thread-self|[^a-z\s])|/?(?:[\s"';)|&<>]|$))|\bkill\b|\bps\b -`},
		{"the calling script or function", `\bcaller\b|BASH_SOURCE|\bFUNCNAME\b`},
	}},
}
