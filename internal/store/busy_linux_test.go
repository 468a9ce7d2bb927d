package store

import (
	"fmt"
	"testing"
)

func TestLockPID(t *testing.T) {
	t.Parallel()
	const locks = `1: OFDLCK ADVISORY  WRITE -1 fe:01:77 0 EOF
2: POSIX  ADVISORY  READ 10 fe:01:77 120 120
3: POSIX  ADVISORY  WRITE 11 fe:01:177 120 120
3: -> POSIX  ADVISORY  WRITE 15 fe:01:77 120 120
4: POSIX  ADVISORY  WRITE 12 fe:01:77 121 121
5: POSIX  ADVISORY  WRITE 13 fe:01:77 120 120
6: FLOCK  ADVISORY  WRITE 14 fe:01:88 0 EOF
7: POSIX  ADVISORY  WRITE 16 fe:01:99 100 EOF
nonsense
`
	for inode, want := range map[uint64]int{77: 13, 177: 11, 99: 16, 88: 0, 1: 0} {
		if got := lockPID(locks, inode, 120); got != want {
			t.Errorf("inode %d: pid %d, want %d", inode, got, want)
		}
	}
	if got := fmt.Sprint(startTime([]byte("1 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 424242 20"))); got != "424242" {
		t.Errorf("start time %s", got)
	}
}
