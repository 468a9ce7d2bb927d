package runs

import "testing"

// TestNearID: an id is suggested though its suffix was not typed.
func TestNearID(t *testing.T) {
	t.Parallel()
	ids := []string{"slow-add-vat-again-0269", "plan-171ba3d0", "plan-171ba3d0-say-hello", "mine"}
	for typed, want := range map[string]string{
		"slow-add-vat-agin":       "did you mean slow-add-vat-again-0269?",
		"slow-add-vat-agian-0269": "did you mean slow-add-vat-again-0269?",
		"plna":                    "did you mean plan-171ba3d0?",
		"plan-171ba3d0-say-helo":  "did you mean plan-171ba3d0-say-hello?",
		"mien":                    "did you mean mine?",
		"vat-again":               "did you mean slow-add-vat-again-0269?",
		"something-else":          "list",
	} {
		if got := nearID(typed, ids, "list"); got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
	if got := nearID("fix-the-tax", []string{"fix-tax-7dce"}, ""); got != "did you mean fix-tax-7dce?" {
		t.Errorf("with a word that ids leave out: %s", got)
	}
	twins := []string{"fix-it-0002", "fix-it-0001"}
	if got := nearID("fxi-it", twins, ""); got != "did you mean fix-it-0002?" {
		t.Errorf("of two, the newest: %s", got)
	}
}
