package marks

import "testing"

func TestBetween(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- Written by: make x -->\n", "<!-- End of what make x writes -->\n"
	page := "before\n" + begin + "old\n" + end + "after\n"
	once, err := between(page, "make x", "| new |\n")
	if err != nil || once != "before\n"+begin+"\n| new |\n\n"+end+"after\n" {
		t.Errorf("%q %v", once, err)
	}
	if twice, err := between(once, "make x", "| new |\n"); err != nil || twice != once {
		t.Errorf("%q %v", twice, err)
	}
	for _, bad := range []string{"", "before\n" + begin, end + begin, page[1 : len(page)-8]} {
		if got, err := between(bad, "make x", "x"); err == nil {
			t.Errorf("%q was written as %q", bad, got)
		}
	}
	if _, err := between(page, "make y", "x"); err == nil {
		t.Error("the marks of another tool were taken")
	}
}
