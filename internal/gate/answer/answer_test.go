package answer

import (
	"strings"
	"testing"
)

func TestFault(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("A sentence of a specification. ", 60)
	for name, row := range map[string]struct{ text, want string }{
		"nothing":                        {"", "empty"},
		"white space":                    {" \n\t\r\n", "empty"},
		"a mark of its encoding":         {"\ufeff\n", "empty"},
		"nine characters":                {"123456789", "9 characters"},
		"ten characters":                 {"1234567890", ""},
		"ten of another script":          {"仕様書はここに在ります", ""},
		"bytes":                          {"abc\xff\xfe 12345678", "not text"},
		"zeros":                          {"abc\x00def ghi jkl", "not text"},
		"a refusal":                      {"I'm sorry, but I can't help with that.", "refuses"},
		"a refusal with a hook":          {"I’m sorry, but I can’t assist.", "refuses"},
		"a refusal with reasons":         {"I cannot write this specification.\n\n" + strings.Repeat("It is not clear. ", 40), "refuses"},
		"unfortunately":                  {"Unfortunately, I can't access the repository, so here is nothing of use to you.", "refuses"},
		"as an AI":                       {"As an AI language model I do not write specifications of companies for anybody.", "refuses"},
		"a long text that begins so":     {"Sorry states are modelled below. " + long, ""},
		"a document about refusals":      {"# Refusals\n\nThe server answers \"I'm sorry\" where it cannot serve. The client shows it, and nothing is lost.\n", ""},
		"a failure and nothing else":     {"The operation failed.", "failure"},
		"ninety-nine of a failure":       {"failed " + strings.Repeat("x", 92), "failure"},
		"a hundred of a failure":         {"failed " + strings.Repeat("x", 93), ""},
		"nothing to do":                  {"No changes needed.", "nothing to do"},
		"nothing to do, differently":     {"There is nothing to change.", "nothing to do"},
		"to be done":                     {"TODO", "nothing to do"},
		"to be done, in Markdown":        {"**TBD**", "nothing to do"},
		"done":                           {"Done.", "nothing to do"},
		"nothing in a sentence":          {"Nothing in this service changes without a test that shows it first.", ""},
		"a list of what is to be done":   {"- TODO: write the parser\n- TODO: write the printer\n", ""},
		"a specification":                {"# Spec\n\nThis is what it does.\n", ""},
		"a block that ends":              {"# Spec\n\n```go\nfunc main() {}\n```\n", ""},
		"a block that does not":          {"# Spec\n\n```go\nfunc main() {\n", "does not end"},
		"a block inside of a longer one": {"# Spec\n\n````\n```\n````\n", ""},
		"another kind inside":            {"# Spec\n\n~~~\n```\n~~~\n", ""},
		"another kind does not end it":   {"# Spec\n\n~~~\n```\n", "does not end"},
		"code in a line":                 {"# Spec\n\n```not a block``` and more\n", ""},
		"an end with words is none":      {"# Spec\n\n```\n``` go\n", "does not end"},
		"cut by a program":               {"# Spec\n\nThe first part of it\n[output truncated]", "being cut"},
		"to be continued":                {"# Spec\n\nThe first part of it (to be continued)", "being cut"},
	} {
		got := Fault(row.text)
		if (row.want == "") != (got == "") || !strings.Contains(got, row.want) {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

// FuzzFault: whatever is given, what is white is refused and nothing breaks.
func FuzzFault(f *testing.F) {
	f.Add("```\n")
	f.Add("I cannot")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.TrimSpace(text) == "" && Fault(text) == "" {
			t.Fatal("what is empty is an answer")
		}
		if why := Fault(text); strings.Contains(why, "\n") {
			t.Fatalf("the reason has more than one line: %q", why)
		}
	})
}
