package text

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Plural returns a number of things: "1 task", "2 tasks".
func Plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// Few returns the first names of a list, at most so many, and how many more there are:
// "a, b and 3 more".
func Few(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// Size returns a number of bytes in one unit: 17 B, 3.2 KB, 64.0 MB.
func Size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f KB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// Duration returns a short duration: 0.3s, 41s, 3m12s, 1h04m, 2d03h.
func Duration(d time.Duration) string {
	switch d = max(d, 0); {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd%02dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

// Age returns how long ago t was, in one unit; empty where t is unknown.
func Age(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	switch d := max(now.Sub(t), 0); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	default:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	}
}

// Clock returns t in the zone of now, with the day where it is another one.
func Clock(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) != now.Format(time.DateOnly) {
		return t.Format("2006-01-02 15:04")
	}
	return t.Format("15:04")
}

// Numbers lists increasing numbers, runs of three and more in short: "1, 2, 4–7".
func Numbers(n []int) string {
	var out []string
	for i := 0; i < len(n); i++ {
		first := i
		for i+1 < len(n) && n[i+1] == n[i]+1 {
			i++
		}
		switch {
		case i-first < 2:
			for _, x := range n[first : i+1] {
				out = append(out, strconv.Itoa(x))
			}
		default:
			out = append(out, fmt.Sprintf("%d–%d", n[first], n[i]))
		}
	}
	return strings.Join(out, ", ")
}
