package loop

import (
	"encoding/json"
	"testing"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Count{`{"run":0}`: 0, `{"run":12}`: 12, `{"run":null}`: Unknown, `{}`: 0} {
		var got Tests
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Run != want {
			t.Errorf("%s: %v, %v", text, got.Run, err)
		}
	}
	if out, err := json.Marshal(Tests{Run: Unknown, Failed: 1}); err != nil || string(out) != `{"run":null,"failed":1,"skipped":0}` {
		t.Errorf("%s, %v", out, err)
	}
	var c Count
	if json.Unmarshal([]byte(`"many"`), &c) == nil {
		t.Error("a word was taken for a count")
	}
}
