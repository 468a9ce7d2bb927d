package loop

import "fmt"

// Paths is how many pairs of n loops could have to agree on something: n(n−1)/2
// (seed 001, REF-088).
func Paths(n int) int {
	if n < 2 {
		return 0
	}
	return n * (n - 1) / 2
}

// Band is a range of loops at once in which coordination costs about the same
// (seed 001, REF-088).
type Band struct {
	// From and To are both in it; To 0 is no end.
	From, To int
	// Word rates the coordination effort, Use describes the purpose of the
	// band.
	Word, Use string
}

// BandOf finds the band of n loops.
func BandOf(n int) Band {
	switch {
	case n >= 8:
		return Band{8, 0, "excessive", "avoid it: make groups with a parent of their own"}
	case n >= 5:
		return Band{5, 7, "significant", "for complex work only"}
	case n >= 3:
		return Band{3, 4, "manageable", "the recommended number"}
	case n == 2:
		return Band{2, 2, "trivial", "for simple parallel tasks"}
	}
	return Band{1, 1, "none", "nothing to coordinate"}
}

// Range is "3–4", "8+" or "2".
func (b Band) Range() string {
	switch {
	case b.To == 0:
		return fmt.Sprintf("%d+", b.From)
	case b.From == b.To:
		return fmt.Sprint(b.From)
	}
	return fmt.Sprintf("%d–%d", b.From, b.To)
}

// Coordination describes in one line what n loops at once cost (seed 001).
func Coordination(n int) string {
	b, paths := BandOf(n), fmt.Sprintf("%d communication paths", Paths(n))
	if n == 2 {
		paths = "1 communication path"
	}
	if b.From == b.To {
		return fmt.Sprintf("%d loops make %s: %s, %s", n, paths, b.Word, b.Use)
	}
	return fmt.Sprintf("%d loops make %s; %s loops: %s, %s", n, paths, b.Range(), b.Word, b.Use)
}
