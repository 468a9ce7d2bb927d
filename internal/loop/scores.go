package loop

// Scores are equal ones of attempts in a row: a user who wants no plateau detected compares
// with thousands of attempts, most of which measured the same.
type Scores struct {
	Score
	// Times is how many there are; 0 is one.
	Times int `json:"times,omitempty"`
}

func (s Scores) clone() Scores { return Scores{s.Score.clone(), s.Times} }

// score adds that of the newest attempt to the newest ones, and moves those before the last
// so many to the best.
func (t *Tally) score(now Score, most int) {
	if n := len(t.Newest); n > 0 && t.Newest[n-1].equal(now) {
		t.Newest[n-1].Times = max(t.Newest[n-1].Times, 1) + 1
	} else {
		t.Newest = append(t.Newest, Scores{Score: now})
	}
	for compared(t.Newest) > most {
		oldest := &t.Newest[0]
		t.Best = newest(keepBest(t.Best, oldest.Score), mostBest)
		if oldest.Times--; oldest.Times < 1 {
			t.Newest = t.Newest[1:]
		}
	}
	t.merge()
}

// merge counts the oldest scores as the one after them, where more than a tally holds differ
// in a row.
func (t *Tally) merge() {
	for len(t.Newest) > mostNewest {
		t.Newest[1].Times = compared(t.Newest[:2])
		t.Newest = t.Newest[1:]
	}
}

// compared is how many attempts have the scores.
func compared(all []Scores) (n int) {
	for _, s := range all {
		n += max(s.Times, 1)
	}
	return n
}
