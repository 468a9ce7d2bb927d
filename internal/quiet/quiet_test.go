package quiet

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

func berlin(t *testing.T) *time.Location {
	t.Helper()
	at, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestUntil: the clocks of Berlin go forward on 2026-03-29 at 02:00 and back on
// 2026-10-25 at 03:00. 2026-11-23 is a Monday.
func TestUntil(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ hours, at, until string }{
		{"09:00-18:00", "2026-11-23T08:59:59+01:00", "2026-11-23T08:59:59+01:00"},
		{"09:00-18:00", "2026-11-23T09:00:00+01:00", "2026-11-23T18:00:00+01:00"},
		{"09:00-18:00", "2026-11-23T17:59:59+01:00", "2026-11-23T18:00:00+01:00"},
		{"09:00-18:00", "2026-11-23T18:00:00+01:00", "2026-11-23T18:00:00+01:00"},
		{"22:00-07:00", "2026-11-23T23:30:00+01:00", "2026-11-24T07:00:00+01:00"},
		{"22:00-07:00", "2026-11-23T06:59:00+01:00", "2026-11-23T07:00:00+01:00"},
		{"22:00-07:00", "2026-11-23T07:00:00+01:00", "2026-11-23T07:00:00+01:00"},
		{"12:00-12:01", "2026-11-23T12:00:59+01:00", "2026-11-23T12:01:00+01:00"},
		{"Mon-Fri 09:00-18:00", "2026-11-22T10:00:00+01:00", "2026-11-22T10:00:00+01:00"},
		{"mon-fri 09:00-18:00", "2026-11-23T10:00:00+01:00", "2026-11-23T18:00:00+01:00"},
		{"fri 22:00-06:00", "2026-11-28T05:00:00+01:00", "2026-11-28T06:00:00+01:00"},
		{"fri 22:00-06:00", "2026-11-27T05:00:00+01:00", "2026-11-27T05:00:00+01:00"},
		{"sat-sun 00:00-00:00", "2026-11-28T00:00:00+01:00", "2026-11-30T00:00:00+01:00"},
		{"sat-sun 00:00-24:00", "2026-11-29T23:59:00+01:00", "2026-11-30T00:00:00+01:00"},
		{"sat-mon 10:00-11:00", "2026-11-29T10:30:00+01:00", "2026-11-29T11:00:00+01:00"},
		{"mon 09:00-09:00", "2026-11-23T09:00:00+01:00", "2026-11-24T09:00:00+01:00"},
		{"09:00-12:00, 12:00-13:00", "2026-11-23T11:00:00+01:00", "2026-11-23T13:00:00+01:00"},
		{"22:00-02:30", "2026-03-29T01:59:00+01:00", "2026-03-29T03:00:00+02:00"}, // 02:30 does not exist
		{"01:00-04:00", "2026-03-29T01:30:00+01:00", "2026-03-29T04:00:00+02:00"},
		{"22:00-04:00", "2026-10-25T02:30:00+02:00", "2026-10-25T04:00:00+01:00"},
	} {
		h, err := Parse(row.hours)
		if err != nil {
			t.Errorf("%s: %v", row.hours, err)
			continue
		}
		at, err := time.Parse(time.RFC3339, row.at)
		if err != nil {
			t.Fatal(err)
		}
		at = at.In(berlin(t))
		until := h.Until(at).Format(time.RFC3339)
		if until != row.until || h.Contains(at) != (row.at != row.until) {
			t.Errorf("%s at %s: until %s, want %s; contains: %t", row.hours, row.at, until, row.until, h.Contains(at))
		}
	}
}

func TestNoHoursContainNothing(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	if (Hours{}).Contains(at) || !(Hours{}).Until(at).Equal(at) {
		t.Error("the zero value contains a time")
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                         "not a range of hours",
		"9-18":                     `"9" is not a time of day`,
		"09:00":                    "not a range of hours",
		"09:00-25:00":              `"25:00" is not a time of day`,
		"24:00-01:00":              "cannot start at 24:00",
		"monday 09:00-18:00":       `"monday" is not a day`,
		"mon fri 09:00-18:00":      "not a range of hours",
		"09:00-18:00,":             "not a range of hours",
		"00:00-00:00":              "covers the whole week",
		"00:00-12:00, 12:00-24:00": "covers the whole week",
		"sat-fri 08:00-08:00":      "covers the whole week",
	} {
		if h, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v", text, h, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("mon-fri 09:00-18:00, sat 10:00-12:00", int64(0))
	f.Add("22:00-07:00", int64(1_700_000_000))
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		h, err := Parse(text)
		if err != nil {
			return
		}
		at := time.Unix(unix%4e9, 0).UTC()
		until := h.Until(at)
		if h.Contains(until) || until.Before(at) || until.Sub(at) > 7*24*time.Hour {
			t.Errorf("%q at %s: until %s", text, at, until)
		}
	})
}
