package coverage

import (
	"errors"
	"math"
	"strings"
	"testing"
)

const (
	profile = "mode: set\nshop/cart.go:4.24,6.22 2 1\nshop/cart.go:6.22,8.3 1 1\nshop/cart.go:9.2,9.14 1 0\n"
	jacocoX = `<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "http://127.0.0.1:9/report.dtd"><report name="shop">`
	cobHead = `<?xml version="1.0" ?><!DOCTYPE coverage SYSTEM 'http://127.0.0.1:9/coverage-04.dtd'>`
	final   = `{"/a.js":{"path":"/a.js","statementMap":{"0":{"start":{"line":1}},"1":{"start":{"line":2}},"2":{"start":{"line":2}}},"s":{"0":0,"1":3,"2":0},"f":{},"b":{}}}`
)

// Every format, with its percentage; NaN stands for "an error".
func TestParse(t *testing.T) {
	t.Parallel()
	bad := math.NaN()
	for name, c := range map[string]struct {
		in   string
		want float64
	}{
		"go profile":                  {profile, 75},
		"go profile, byte order mark": {"\xef\xbb\xbf" + profile, 75},
		"go profile, CRLF":            {strings.ReplaceAll(profile, "\n", "\r\n"), 75},
		"go profile, repeated blocks": {profile + "shop/cart.go:9.2,9.14 1 1\nshop/cart.go:6.22,8.3 1 0\n", 100},
		"go profile, concatenated":    {profile + "mode: set\nshop/b.go:1.1,2.2 4 0\n", 37.5},
		"go profile, count":           {"mode: count\na.go:1.1,2.2 1 12345\n", 100},
		"go profile, mode only":       {"mode: set\n", bad},
		"go profile, cut":             {"mode: set\na.go:1.1,2.2 1", bad},
		"go profile, zero statements": {"mode: set\na.go:1.1,2.2 0 1\n", bad},
		"go profile, nothing covered": {"mode: set\na.go:1.1,2.2 3 0\n", 0},
		"lcov":                        {"TN:\nSF:a.c\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\nSF:b.c\nLF:2\nLH:2\nend_of_record\n", 75},
		"lcov, CRLF without totals":   {"SF:a.c\r\nDA:1,1\r\nDA:2,0\r\nBRDA:1,0,0,-\r\nend_of_record\r\n", 50},
		"lcov, repeated line":         {"SF:a.c\nDA:1,0\nDA:1,5,checksum\nend_of_record\n", 100},
		"lcov, negative count":        {"SF:a.c\nDA:1,-1\nDA:2,1\nend_of_record\n", 50},
		"lcov, more hit than found":   {"SF:a.c\nLF:2\nLH:3\nend_of_record\n", bad},
		"lcov, not a number":          {"SF:a.c\nLF:x\nLH:1\nend_of_record\n", bad},
		"lcov, no lines":              {"SF:a.c\nend_of_record\n", bad},
		"lcov, cut":                   {"SF:a.c\nDA:1,1\n", bad},
		"lcov, DA without count":      {"SF:a.c\nDA:1\nend_of_record\n", bad},
		"cobertura, counts":           {cobHead + `<coverage line-rate="0.1" lines-covered="3" lines-valid="4"><packages/></coverage>`, 75},
		"cobertura, rate":             {`<coverage line-rate="0.715"></coverage>`, 71.5},
		"cobertura, rate of 1":        {`<coverage line-rate="1"/>`, 100},
		"cobertura, NaN":              {`<coverage line-rate="NaN"/>`, bad},
		"cobertura, comma":            {`<coverage line-rate="0,71"/>`, bad},
		"cobertura, above 1":          {`<coverage line-rate="1.2"/>`, bad},
		"cobertura, negative":         {`<coverage line-rate="-0.2"/>`, bad},
		"cobertura, total 0":          {`<coverage line-rate="1" lines-covered="0" lines-valid="0"/>`, bad},
		"cobertura, lines":            {`<coverage line-rate="NaN"><packages><package><classes><class filename="a"><methods><method><lines><line number="1" hits="1"/></lines></method></methods><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class></classes></package></packages></coverage>`, 50},
		"cobertura, no counts":        {`<coverage lines-valid="x" lines-covered="1"/>`, bad},
		"cobertura, cut":              {`<coverage line-rate="0.9"><packages>`, bad},
		"cobertura, entity":           {`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><coverage line-rate="&e;"/>`, bad},
		"cobertura, deep":             {`<coverage line-rate="1">` + strings.Repeat("<a>", 200) + strings.Repeat("</a>", 200) + `</coverage>`, bad},
		"istanbul summary":            {`{"total":{"lines":{"total":4,"covered":3,"skipped":0,"pct":75}}}`, 75},
		"istanbul summary, pct only":  {`{"total":{"lines":{"pct":71.2}}}`, 71.2},
		"istanbul summary, Unknown":   {`{"total":{"lines":{"total":0,"covered":0,"skipped":0,"pct":"Unknown"}}}`, bad},
		"istanbul summary, string":    {`{"total":{"lines":{"pct":"Unknown"}}}`, bad},
		"istanbul summary, null":      {`{"total":{"lines":{"pct":null}}}`, bad},
		"istanbul summary, nothing":   {`{"total":{}}`, bad},
		"istanbul summary, above 100": {`{"total":{"lines":{"pct":100.5}}}`, bad},
		"istanbul summary, cut":       {`{"total":{"lines":{"total":4,"cov`, bad},
		"istanbul final":              {final, 50},
		"istanbul final, lost count":  {strings.Replace(final, `"2":0},"f"`, `},"f"`, 1), bad},
		"istanbul final, empty map":   {`{"/a.js":{"statementMap":{},"s":{}}}`, bad},
		"jacoco":                      {jacocoX + `<package name="p"><counter type="LINE" missed="9" covered="0"/></package><counter type="BRANCH" missed="9" covered="1"/><counter type="LINE" missed="1" covered="3"/></report>`, 75},
		"jacoco, groups only":         {jacocoX + `<group name="a"><counter type="LINE" missed="1" covered="1"/></group><group name="b"><counter type="LINE" missed="0" covered="2"/></group></report>`, 75},
		"jacoco, no lines":            {jacocoX + `</report>`, bad},
		"jacoco, negative":            {jacocoX + `<counter type="LINE" missed="-1" covered="3"/></report>`, bad},
		"jacoco, cut":                 {jacocoX + `<counter type="LINE" missed="1" covered="3"/>`, bad},
		"coverage.py":                 {`{"meta":{},"files":{},"totals":{"covered_lines":3,"num_statements":4,"percent_covered":70.0}}`, 75},
		"coverage.py, percent only":   {`{"totals":{"percent_covered":71.5}}`, 71.5},
		"coverage.py, empty":          {`{"totals":{"covered_lines":0,"num_statements":0,"percent_covered":100}}`, bad},
		"coverage.py, NaN":            {`{"totals":{"percent_covered":NaN}}`, bad},
		"simplecov":                   {`{"result":{"line":71.2,"branch":50}}`, 71.2},
		"simplecov, old":              {`{"result":{"covered_percent":71.2}}`, 71.2},
		"simplecov, nothing":          {`{"result":{}}`, bad},
		"simplecov set":               {`{"RSpec":{"coverage":{"/a.rb":{"lines":[null,1,0,"ignored"]}},"timestamp":1},"Cucumber":{"coverage":{"/a.rb":[null,0,2,null]},"timestamp":2}}`, 100},
		"clover":                      {`<coverage generated="1"><project timestamp="1"><file name="a"><metrics statements="9" coveredstatements="0"/></file><metrics files="1" statements="4" coveredstatements="3"/></project></coverage>`, 75},
		"clover, files only":          {`<coverage><project><package><file name="a"><metrics statements="4" coveredstatements="1"/></file></package></project></coverage>`, 25},
		"clover, impossible":          {`<coverage><project><metrics statements="4" coveredstatements="5"/></project></coverage>`, bad},
		"llvm-cov":                    {`{"data":[{"totals":{"lines":{"count":4,"covered":3,"percent":75}}}],"type":"llvm.coverage.json.export"}`, 75},
		"llvm-cov, percent only":      {`{"data":[{"totals":{"lines":{"percent":62.5}}}]}`, 62.5},
		"llvm-cov, none":              {`{"data":[]}`, bad},
		"go tool cover":               {"a.go:4:\tSum\t83.3%\ntotal:\t\t\t(statements)\t83.3%\n", 83.3},
		"go test":                     {"ok  \tshop/cart\t0.004s\tcoverage: 83.3% of statements\n", 83.3},
		"go test -v":                  {"PASS\ncoverage: 83.3% of statements\nok  \tshop/cart\t0.004s\tcoverage: 83.3% of statements\n", 83.3},
		"go test, failed":             {"FAIL\ncoverage: 83.3% of statements\nFAIL\tshop/cart\t0.005s\nFAIL\n", 83.3},
		"go test, several":            {"ok  \ta\t0.1s\tcoverage: 83.3% of statements\n\tb\t\tcoverage: 0.0% of statements\n", bad},
		"go test, no statements":      {"ok  \ta\t0.1s\tcoverage: [no statements]\n", bad},
		"istanbul table":              {"-----|---\nFile      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s\nAll files |   85.71 |      100 |      75 |   81.25 |                   \n a.js     |   85 |      100 |      75 |   85.71 | 3\n", 81.25},
		"istanbul table, Unknown":     {"All files | Unknown | Unknown | Unknown | Unknown |\n", bad},
		"istanbul text":               {"=== Coverage summary ===\nStatements   : 50% ( 7/14 )\nLines        : 85.71% ( 12/14 )\n", 100 * 12.0 / 14},
		"istanbul text, nothing":      {"Lines        : Unknown% ( 0/0 )\n", bad},
		"coverage.py text":            {"Name  Stmts Miss Cover\na.py 14 2 86%\nTOTAL    14      2    86%\n", 100 * 12.0 / 14},
		"coverage.py text, branches":  {"TOTAL    4      1    10   5    50%\n", 75},
		"coverage.py text, nothing":   {"TOTAL    0      0    100%\n", bad},
		"tarpaulin text":              {"71.43% coverage, 10/14 lines covered\n", 100 * 10.0 / 14},
		"empty":                       {"", bad},
		"prose":                       {"Coverage is great: 100% of statements, total: 100%\n", bad},
		"binary":                      {"\x00\xff\x1b[31m", bad},
		"other JSON":                  {`{"name":"x"}`, bad},
		"other XML":                   {`<html><body/></html>`, bad},
		"JSON list":                   {`[1,2]`, bad},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := Parse([]byte(c.in))
			if math.IsNaN(c.want) {
				if err == nil {
					t.Fatalf("it has a value: %+v", v)
				}
				return
			}
			if err != nil || math.Abs(v.Percent-c.want) > 1e-9 {
				t.Fatalf("got %+v, %v, want %v", v, err, c.want)
			}
		})
	}
}

func TestErrorsThatAreToldApart(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]error{
		"hello":       ErrUnknown,
		"mode: set\n": ErrEmpty,
		"ok  \ta\t0.1s\tcoverage: 1% of statements\nok  \tb\t0.1s\tcoverage: 2% of statements\n": errSeveral,
	} {
		if _, err := Parse([]byte(in)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", in, err, want)
		}
	}
	if _, err := Parse(make([]byte, MaxSize+1)); err == nil || errors.Is(err, ErrUnknown) {
		t.Errorf("a report of more than 64 MiB: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		profile, final, jacocoX + `<counter type="LINE" missed="1" covered="3"/></report>`,
		`<coverage line-rate="0.5"/>`, `<coverage><project><metrics statements="4" coveredstatements="3"/></project></coverage>`,
		"SF:a\nDA:1,1\nend_of_record\n", `{"total":{"lines":{"pct":75}}}`, `{"totals":{"percent_covered":71.5}}`,
		`{"data":[{"totals":{"lines":{"percent":62.5}}}]}`, `{"result":{"line":71.2}}`,
		`{"R":{"coverage":{"/a.rb":[null,0,2]},"timestamp":2}}`, "TOTAL 4 1 75%\n", "All files | 1 | 2 | 3 | 4 |\n",
		"Lines : 1% ( 1/100 )\n", "total:\t(statements)\t8%\n", "ok  \ta\t1s\tcoverage: 3% of statements\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := Parse(in)
		if err == nil && (math.IsNaN(v.Percent) || v.Percent < 0 || v.Percent > 100 || v.Format == "") {
			t.Errorf("%+v", v)
		}
	})
}
