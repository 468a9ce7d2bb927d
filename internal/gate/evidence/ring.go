package evidence

// ring keeps the last max lines.
type ring struct {
	max  int
	buf  []string
	next int
}

func (r *ring) add(line string) {
	if len(r.buf) < r.max {
		r.buf = append(r.buf, line)
		return
	}
	r.buf[r.next] = line
	r.next = (r.next + 1) % r.max
}

// lines returns them, oldest first.
func (r *ring) lines() []string {
	return append(append([]string{}, r.buf[r.next:]...), r.buf[:r.next]...)
}
