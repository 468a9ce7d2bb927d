package plan

import mathbits "math/bits"

// bits is a set of small numbers.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// add takes in all of another set of the same size.
func (b bits) add(c bits) {
	for i := range c {
		b[i] |= c[i]
	}
}

// firstBut is the smallest member that the other set lacks, or -1.
func (b bits) firstBut(c bits) int {
	for i := range b {
		if w := b[i] &^ c[i]; w != 0 {
			return 64*i + mathbits.TrailingZeros64(w)
		}
	}
	return -1
}
