package stream

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"
)

// strange is a line as programs print it, with a field of each kind.
type strange struct {
	Count  Count   `json:"count"`
	Amount Amount  `json:"amount"`
	Flag   Flag    `json:"flag"`
	At     Moment  `json:"at"`
	Text   string  `json:"text"`
	List   []int   `json:"list"`
	Last   string  `json:"last"`
	Maybe  *Amount `json:"maybe"`
}

// A field that does not fit costs itself, whatever it holds.
func TestDecode(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"count", "amount", "flag", "at", "text", "list", "maybe"} {
		for _, value := range []string{`null`, `true`, `"x"`, `""`, `1`, `1.5`, `-1`, `1e999`, `{}`, `{"a":[1]}`, `[]`, `["x",{}]`} {
			line := fmt.Sprintf(`{%q: %s, "last": "here"}`, field, value)
			var s strange
			if !Decode([]byte(line), &s) || s.Last != "here" {
				t.Errorf("%s is read as %+v", line, s)
			}
		}
	}
	for _, line := range []string{``, `{`, `{"last": "x"`, `x`, "{\"last\":\"\x00\"}"} {
		if Decode([]byte(line), &strange{}) {
			t.Errorf("%q is no JSON", line)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]strange{
		`12`: {Count: 12, Amount: 12}, `"12"`: {Count: 12, Amount: 12}, `2400.5`: {Count: 2401, Amount: 2400.5}, `" 0.01 "`: {Count: 1, Amount: 0.01},
		`9223372036854775807`: {Count: math.MaxInt64, Amount: math.MaxInt64}, `1e300`: {Count: math.MaxInt64, Amount: 1e300},
		`-3`: {Count: -3, Amount: -3}, `-0.5`: {Amount: -0.5}, `0`: {}, `null`: {},
	} {
		var got strange
		Decode(fmt.Appendf(nil, `{"count":%s,"amount":%s}`, text, text), &got)
		if got.Count != want.Count || got.Amount != want.Amount {
			t.Errorf("%s is %d and %v", text, got.Count, got.Amount)
		}
	}
	for _, text := range []string{`"many"`, `"NaN"`, `"inf"`, `{}`, `[1]`, `true`, `""`} {
		var got strange
		Decode(fmt.Appendf(nil, `{"count":%s,"amount":%s}`, text, text), &got)
		if got.Count >= 0 || !math.IsNaN(float64(got.Amount)) {
			t.Errorf("%s is %d and %v", text, got.Count, got.Amount)
		}
	}
}

func TestFlagsAndMoments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{`true`: true, `"true"`: true, `1`: true, `false`: false, `"no"`: false, `null`: false, `{}`: false} {
		var f Flag
		if err := json.Unmarshal([]byte(text), &f); err != nil || bool(f) != want {
			t.Errorf("%s is %v, %v", text, f, err)
		}
	}
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		fmt.Sprint(at.Unix()): at, fmt.Sprintf(`"%d"`, at.UnixMilli()): at, fmt.Sprintf("%d.75", at.Unix()): at.Add(750 * time.Millisecond),
		`"2026-11-20T15:00:00+01:00"`: at, `"2026-11-20 14:00:00Z"`: at,
		`"tomorrow"`: {}, `"2026-11-20T15:00:00"`: {}, `"9999-01-01T00:00:00Z"`: {}, `null`: {}, `{}`: {}, `-5`: {}, `0`: {},
	} {
		var m Moment
		if err := json.Unmarshal([]byte(text), &m); err != nil || !m.Equal(want) {
			t.Errorf("%s is %s, %v, want %s", text, m, err, want)
		}
	}
}
