package suspect

import "ralph/internal/proof/syntax"

var suspectScript = []group{
	{looksAround, false, []form{
		{"the clock, compared with a date", `\bDate\.now\(\)\s*(?:[<>]=?|[=!]==?|%)\s*[\d_]{4}|\bnew Date\(\)(?:\.get\w+\(\))?\s*(?:[<>]=?|[=!]==?)\s*(?:\d|new Date\(\s*['"\d])|\bgetFullYear\(\)\s*[<>]=?\s*2\d{3}\b|[<>]=?\s*(?:1[6-9]|2\d)[\d_]{8,}\b`},
		{"the number and age of the process", `\bprocess\.p?pid\b|\bprocess\.uptime\(`},
		{"the path of its file or folder", `\b__(?:dir|file)name\.length\b`},
	}},
	{looksAround, true, []form{
		{"the current folder", `\bprocess\.cwd\(`},
		{"the files of the project", `\bexists(?:Sync)?\(\s*['"](?:\./)?package(?:-lock)?\.json['"]`},
	}},
	{findsTests, true, []form{
		{"a list of the current folder", `\b(?:readdir|opendir|glob)(?:Sync)?\(\s*(?:['"](?:\.{0,2}/?|\*[^'"\n]*)['"]|__dirname|process\.cwd\(\))`},
		{"the folder of tests", `\bexists(?:Sync)?\(\s*['"](?:\./)?(?:tests?|spec|__tests__)/?['"]`},
		{"sources, read as data", `\bimport\.meta\.glob\([^)\n]*\*(?:\.\{?[cm]?[jt][^'"\n]*)?['"][^)\n]*\braw\b`},
	}},
	{findsTests, false, []form{
		{"variables of runners and for tests", `NODE_TEST_CONTEXT|\bprocess\.env(?:\.|\[['"])(?:\w*_)?TEST(?:S|ING)?(?:_\w+)?\b|JEST_WORKER|\bVITEST\b|\bnpm_(?:lifecycle|package|command|config|execpath|node)|\bINIT_CWD\b|\b(?:NODE_ENV|import\.meta\.env\.MODE)\b[^\n]{0,12}['"` + "`" + `]test['"` + "`" + `]|['"` + "`" + `]test['"` + "`" + `]\s*[=!]==?[^\n]{0,30}\b(?:NODE_ENV|MODE)\b|\bimport\.meta\.vitest\b`},
		{"the names of tests and their folders", `\b(?:join|resolve|readdir\w*|readFile\w*)\([^)\n]*["'/](?:tests?|spec)["'/]|\.(?:test|spec)\.[cm]?[jt]sx?\b|__tests__`},
		{"the names of runners", `['"](?:node:test|vitest|mocha|jest|@jest/globals)['"]`},
		{"the functions of runners", `\b(?:globalThis|global|window)\.(?:test|it|expect|describe|beforeEach|afterEach|beforeAll|afterAll|jest|vi)\b|['"](?:(?:deep)?(?:S|s)trictEqual|(?:deep|notDeep)Equal|to(?:Be|Equal|StrictEqual|Match\w*))['"]`},
		{"the arguments of the process", `\bprocess(?:\?)?\.(?:execArgv|argv(?:\[1\]|\.at\(1\)))|\bprocess\?\.argv\b`},
		{"modules that are loaded", `\brequire\.(?:cache|extensions)\b|\bmodule\.(?:parent|children)\b|\bprocess\.mainModule\b|\brequire\.main(?:\?\.|\.|\[|\s*(?:&&|\|\||\?\?|\?|[;,]|$))`},
		{"a list of what is global", `\b(?:getOwnProperty(?:Names|Symbols|Descriptors)|ownKeys|keys|entries|values)\(\s*(?:globalThis|global|window)\s*\)|\bfor\s*\(\s*(?:(?:const|let|var)\s+)?\w+\s+in\s+(?:globalThis|global|window)\b|\bReflect\.(?:get|has)\(\s*(?:globalThis|global|window|process)\b`},
		{"calls that a mock has counted", `\bmock(?:Clear|Reset|Restore)\(|\bresetCalls\(`},
		{"a search through the sources by another program", `\b(?:exec|spawn)\w*\(\s*['"` + "`" + `](?:(?:grep|rg|find|awk|sed|tar|cat|ls)\b|git['"` + "`" + `, []+grep\b)`},
	}},
	{endsProcess, false, []form{
		{"an end without clean-up", `\bprocess\.(?:reallyExit|kill|abort|dlopen)\b`},
		{"the output of the process", `\bwriteSync\(\s*[12]\s*,`},
		{"code that runs at the end", `\bprocess\.(?:on|once|addListener)\(\s*['"](?:exit|beforeExit)`},
	}},
	{endsProcess, true, []form{
		{"errors that end it", `\bprocess\.(?:on|once|addListener)\(\s*['"](?:uncaughtException|unhandledRejection)`},
		{"an end, and the exit code", `\bprocess(?:\?)?\.exit(?:Code)?\b|\bprocess(?:\?\.)?\[|\{[^}\n]*\bexit(?:Code)?\b[^}\n]*\}\s*=\s*process\b`},
	}},
	{forgesReport, false, runnerOutput},
	{findsCaller, false, []form{
		{"the stack", `\bError\.(?:prepareStackTrace|stackTraceLimit)\b|\bcaptureStackTrace\(\s*(?:[^t\s]|t[^h])|\.stack\b\s*(?:\?\.|\.)(?:split|includes|match|indexOf|search|slice|replace)\b|new Error\([^)]*\)\.stack\b|\bgetCallSites?\b`},
		{"the calling function", `\barguments\.callee\b|\b\w+\.caller\b`},
		{"the process, as the system knows it", `/proc/(?:self|thread-self|\d|\$\{)|\bprocess\.(?:report|title|argv0)\b`},
		{"what waits in the process", `\b(?:execution|trigger)Async(?:Id|Resource)\b|\bprocess\.(?:listenerCount|listeners|rawListeners|eventNames|moduleLoadList|_getActive\w+|getActiveResourcesInfo)\b`},
	}},
	{changesCode, false, []form{
		{"functions of assertions", `\bassert(?:\.strict)?\.\w+\s*=[^=]|\bexpect\.\w+\s*=[^=]`},
		{"the output of the process, replaced", `\bprocess\.(?:stdout|stderr)\.\w+\s*=[^=]`},
		{"the loading and running of modules", syntax.LoadsScript + `(?:node:)?(?:module|vm|inspector)['"` + "`" + `]|\bregisterHooks?\b|(?:\.|\[['"])_compile\b`},
		{"code from text", `\b(?:eval|Function)\(`},
		{"classes and objects of the language", `\bObject\.(?:is|keys|getPrototypeOf)\s*=[^=]|\b(?:Array|Object|String|Number|Map|Set|Date|Promise|RegExp|Function)\.prototype\.\w+\s*=[^=]|\b(?:Object|Reflect)\.(?:assign|define\w+|set\w*)\(\s*(?:Array|Object|String|Number|Map|Set|Date|Promise|RegExp|Function|JSON|Math|Reflect|Symbol|globalThis|global|window|console|Buffer)\b|\b__proto__\b|\b(?:Object|JSON|Math|Array|Number|String|Promise|Reflect|console)\.\w+\s*=[^=>]`},
	}},
	{changesLibrary, false, []form{
		{"a member of a module, replaced", `\brequire\(\s*['"][\w@/:-]+['"]\s*\)(?:\.[\w$]+|\[[^\]\n]+\])+\s*=[^=>]|\b(?:Object|Reflect)\.(?:assign|define\w+|set\w*)\(\s*require\(`},
		{"variables, or another current folder", `\bprocess\.env(?:\.\w+|\[[^\]\n]+\])\s*=[^=]|\bprocess\.chdir\(`},
	}},
	{changesLibrary, true, []form{
		{"the time zone", `\bprocess\.env\.TZ\s*(?:\?\?|\|\|)?=[^=]`},
		{"warnings of node", `\bprocess\.(?:noDeprecation|throwDeprecation)\s*=[^=]`},
	}},
	{equalsAll, false, []form{
		{"an own comparison", `\bSymbol\.toPrimitive\b|\basymmetricMatch\b`},
	}},
}
