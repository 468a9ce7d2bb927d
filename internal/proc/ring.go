package proc

// ring keeps the last max bytes written to it. It grows as needed.
type ring struct {
	max  int
	buf  []byte
	next int // where the next byte goes once buf is full
}

func (r *ring) write(p []byte) {
	if len(p) >= r.max {
		r.buf, r.next = append(r.buf[:0], p[len(p)-r.max:]...), 0
		return
	}
	if room := r.max - len(r.buf); room > 0 {
		n := min(room, len(p))
		r.buf, p = append(r.buf, p[:n]...), p[n:]
	}
	for len(p) > 0 {
		n := copy(r.buf[r.next:], p)
		r.next, p = (r.next+n)%r.max, p[n:]
	}
}

// bytes is a copy, oldest first.
func (r *ring) bytes() []byte {
	out := make([]byte, 0, len(r.buf))
	out = append(out, r.buf[r.next:]...)
	return append(out, r.buf[:r.next]...)
}
