package main

import (
	"context"
	"os"
)

// size measures the program as it is released.
func (b *bench) size(context.Context) ([]row, error) {
	r := row{what: "the stripped binary", beside: "Go hello world, stripped", unit: "MB", target: atMost(25, "MB")}
	for _, p := range []struct {
		file string
		into *series
	}{{b.hello, &r.floor}, {b.ralph, &r.ours}} {
		info, err := os.Stat(p.file)
		if err != nil {
			return nil, err
		}
		*p.into = series{float64(info.Size()) / 1e6}
	}
	return []row{r}, nil
}
