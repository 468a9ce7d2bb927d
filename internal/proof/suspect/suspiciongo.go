package suspect

var suspectGo = []group{
	{looksAround, false, []form{
		{"the clock, compared with a date", `\btime\.Now\(\)(?:\.UTC\(\))?\.(?:Unix\w*\(\)\s*(?:[<>]|[=!]=)=?\s*\d{4}|(?:Year|YearDay|Month|Day|Weekday)\(\)\s*(?:[<>]|[=!]=)|(?:After|Before|Compare|Sub)\(time\.(?:Date|Unix\w*)\()|\btime\.(?:Since|Until)\(time\.(?:Date|Unix)\(|\.Year\(\)\s*[<>]=?\s*2\d{3}\b|[<>]=?\s*(?:1[6-9]|2\d)[\d_]{8,}\b`},
		{"the number of the process", `\bos\.Getpp?id\(`},
	}},
	{looksAround, true, []form{
		{"the current folder", `\bos\.Getwd\b`},
		{"the files of the module", `\bos\.L?[sS]tat\("(?:\./)?(?:go\.mod|go\.sum)"`},
	}},
	{findsTests, true, []form{
		{"a list of the current folder", `\b(?:os\.(?:ReadDir|DirFS)|(?:filepath|fs)\.(?:Glob|Walk\w*)|ioutil\.ReadDir)\((?:os\.DirFS\()?\s*["` + "`" + `](?:\.{0,2}/?|\*[^"` + "`" + `]*)["` + "`" + `]`},
		{"the arguments of the program", `\bos\.Args\b`},
	}},
	{findsTests, false, []form{
		{"the names of tests and their sources", `_test(?:\.go)?\b["` + "`" + `]|_test\.go|"\.test\b`},
		{"options of the test runner", `"-?test\.|\bflag\.(?:Lookup|Parsed|CommandLine|Visit(?:All)?)\b|\bexpvar\.Get\(|\bbuildinfo\.Read|\bsyscall\.Environ\b`},
		{"the package testing", `\btesting\.(?:Testing|Short|Verbose|CoverMode|M|T|MainStart|Init)\b`},
		{"sources, read as data", `"go/(?:build|parser|ast|scanner|types)"|"golang\.org/x/tools/go/packages"`},
		{"a search through the sources by another program", `\bexec\.Command(?:Context)?\((?:\w+,\s*)?"(?:grep|rg|find|awk|sed|tar|cat|git",\s*"grep)"`},
		{"tests, embedded", `(?m:^//go:embed\b[^\n]*(?:\*\.go|_tes\S*|_test\S*)(?:\s|$))`},
	}},
	{endsProcess, false, []form{
		{"system calls", `\b(?:syscall|unix)\.(?:Exit|Kill|Exec|Raw\w*[Ss]yscall\w*|Syscall\w*)\b`},
		{"a process in its place, or the end of it", `\bos\.StartProcess\b|\bos\.FindProcess\(os\.Getpp?id`},
		{"the output of the process", `\bos\.NewFile\(\s*[12]\b`},
	}},
	{endsProcess, true, []form{
		{"an end", `\bos\.Exit\b|\bruntime\.Goexit\b`},
	}},
	{forgesReport, false, runnerOutput},
	{changesLibrary, true, []form{
		{"another current folder", `\bos\.Chdir\(`},
	}},
	{findsCaller, false, []form{
		{"what runs beside it", `\bruntime\.(?:NumGoroutine|ReadMemStats|GoroutineProfile)\b|\bpprof\.Lookup\b`},
		{"the line of a log", `\blog\.New\([^\n]*,\s*[1-9]\w*\)`},
		{"the stack", `\bruntime\.(?:Callers?|CallersFrames|FuncForPC|Stack)\b|(?:=|\b(?:strings|bytes|regexp|len|\w+\.Match\w*)(?:\.\w+)?\()\s*(?:string\()?debug\.Stack\b`},
	}},
	{findsCaller, true, []form{
		{"the line of a log", `\blog\.L(?:short|long)file\b|\bAddSource\b`},
		{"how it was built", `\bdebug\.ReadBuildInfo\b`},
	}},
	{startsSelf, false, []form{
		{"its own program", `\bos\.Executable\b|/proc/(?:self|\d|%d)`},
	}},
	{changesCode, false, []form{
		{"code that the compiler does not check", `//go:(?:linkname|norace)\b|(?m:^\s*(?:import )?(?:\w+ )?"(?:C|unsafe|plugin)")`},
		{"names of a library without the package", `(?m:^[ \t]*(?:import )?\.[ \t]*"(?:os|syscall|runtime(?:/\w+)?|testing|flag|log(?:/slog)?|golang\.org/x/sys/unix)")`},
		{"the output of the process, replaced", `\bos\.Std(?:out|err)\s*=[^=]`},
		{"memory and files of the process", `\b(?:syscall|unix)\.(?:Mprotect|Mmap|Dup[23]?)\b`},
		{"another meaning of a name of the language", `(?m:^\s*(?:const|var|func|type)\s+(?:true|false|nil|iota|len|cap|append|copy|panic|recover|print|println|string|int|error|bool|byte|rune)\b)|(?m:^\s*(?:true|false|nil)\s*(?:,[^=\n]*)?=[^=])`},
	}},
}
