package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/text"
)

// shownMoments are in the report for people, the newest ones; programs get all.
const shownMoments = 60

// happened lists the moments: "- 02:10 to 03:10 (1h) **T1, T2** waited: …".
func (r Summary) happened(b *strings.Builder, now time.Time) {
	if !heading(b, "What happened", len(r.Moments)) {
		return
	}
	if earlier := r.earlier(); earlier != "" {
		fmt.Fprintf(b, "- %s\n", earlier)
	}
	for _, m := range r.newest() {
		fmt.Fprintf(b, "- %s **%s** %s\n", m.when(now), markup(m.who()), markup(m.words()))
	}
}

// newest are the moments that are shown.
func (r Summary) newest() []Moment { return r.Moments[max(0, len(r.Moments)-shownMoments):] }

// earlier says what is left out before the newest; it is empty where nothing is.
func (r Summary) earlier() string {
	var parts []string
	if n := len(r.Moments) - shownMoments; n > 0 {
		parts = append(parts, fmt.Sprintf("%d earlier ones are in the JSON", n))
	}
	if r.MomentsLeftOut > 0 {
		parts = append(parts, "not told of "+text.Plural(r.MomentsLeftOut, "older run"))
	}
	return strings.Join(parts, "; ")
}

func (m Moment) when(now time.Time) string {
	from := text.Clock(m.At, now)
	switch {
	case m.open:
		return from + " until now"
	case m.Until == nil:
		return from
	}
	took := text.Duration(m.Until.Sub(m.At))
	if to := text.Clock(*m.Until, now); to != from {
		return fmt.Sprintf("%s to %s (%s)", from, to, took)
	}
	return fmt.Sprintf("%s (%s)", from, took)
}

func (m Moment) who() string { return listed(m.Runs, 6) }

func (m Moment) words() string {
	if m.Times > len(m.Runs) {
		return fmt.Sprintf("%s (%d times)", m.Text, m.Times)
	}
	return m.Text
}
