package stream

import "testing"

func TestUnwrap(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                     "",
		"plain words":          "plain words",
		"a {brace":             "a {brace",
		`{"no":"words"}`:       `{"no":"words"}`,
		`{"error":{"code":1}}`: `{"error":{"code":1}}`,
		`[API Error: {"error":{"code":401,"message":"API key not valid","status":"UNAUTHENTICATED"}}]`: "[API Error: API key not valid]",
		`{"error":"quota","message":"ignored"}`:                                                        "quota",
		`{"code":"x","message":"Incorrect API key provided","param":null}`:                             "Incorrect API key provided",
		`{"error":{"message":"{\n  \"error\": {\"message\": \"model not found\"}\n}\n","code":404}}`:   "model not found\n",

		`{"details":"401 refused"}`:                                      "401 refused",
		`{"message":"{\"message\":\"{\\\"message\\\":\\\"deep\\\"}\"}"}`: "deep",
	} {
		if got := unwrap(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
