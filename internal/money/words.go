package money

import "fmt"

// Show is an amount of money in dollars. Less than a cent is not nothing, and
// less than a hundredth of one neither.
func Show(microUSD int64) string {
	dollars := float64(microUSD) / 1e6
	if microUSD > 0 && microUSD < 100 {
		return fmt.Sprintf("$%.6f", dollars)
	}
	if microUSD >= 100 && microUSD < 10_000 {
		return fmt.Sprintf("$%.4f", dollars)
	}
	return fmt.Sprintf("$%.2f", dollars)
}

// Count is a number of tokens: 812, 3.5k, 42k, 1.5M.
func Count(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 10_000 && n%1000 >= 100:
		return fmt.Sprintf("%d.%dk", n/1000, n%1000/100)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}
