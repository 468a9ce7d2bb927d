package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   series
		want float64
	}{{nil, 0}, {series{3}, 3}, {series{9, 1}, 5}, {series{9, 1, 2}, 2}} {
		if got := tt.in.median(); got != tt.want {
			t.Errorf("median of %v is %v", tt.in, got)
		}
	}
}

// TestSection: a missed target is marked; without a target there is no verdict.
func TestSection(t *testing.T) {
	t.Parallel()
	p := section{date: "2026-11-20", rows: []row{
		{what: "a", beside: "b", unit: "ms", floor: series{1, 2, 3}, ours: series{4, 4.5, 123}, target: ratioAtMost(2), note: "why"},
		{what: "c", unit: "MB", ours: series{12}, target: atMost(60, "MB")},
		{what: "d", beside: "e", unit: "/s", floor: series{1000}, ours: series{999}, target: atLeast(1000, "/s")},
		{what: "f", beside: "g", unit: "ms", floor: series{2}, ours: series{1}},
	}}
	_, table, _ := strings.Cut(p.String(), "|---|---|---:|---:|---:|---:|---|---|\n")
	want := `| a [1] | b | 3 | 2.00 ms (1.00–3.00) | 4.50 ms (4.00–123) | 2.25× | ≤ 2× | **no** |
| c |  | 1 |  | 12.0 MB |  | ≤ 60 MB | yes |
| d | e | 1 | 1000 /s | 999 /s | 1.00× | ≥ 1000 /s | **no** |
| f | g | 1 | 2.00 ms | 1.00 ms | 0.50× |  |  |

[1] why
`
	if diff := cmp.Diff(want, table); diff != "" {
		t.Error(diff)
	}
}
