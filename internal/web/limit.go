package web

import (
	"net"
	"sync"
	"time"
)

// The bounds of all requests together: of one person with several browsers.
const (
	mostConnections = 128
	mostStreams     = 32
	perSecond       = 200
	// perSecondOfStrangers bounds requests without a session: signing in needs three.
	perSecondOfStrangers = 20
	mostActions          = 8
)

// rate counts the requests of the present second.
type rate struct {
	mu     sync.Mutex
	second int64
	spent  int
}

func (b *rate) admits(now time.Time, most int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := now.Unix(); s != b.second {
		b.second, b.spent = s, 0
	}
	b.spent++
	return b.spent <= most
}

// slots are a number of things that may happen at once.
type slots chan struct{}

func (s slots) take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) free() { <-s }

// Bound bounds the connections of a listener that are open at once, so that a flood takes
// no descriptors from the loops of this machine. Another listener has a bound of its own:
// the network cannot lock out the machine.
func Bound(l net.Listener) net.Listener { return bounded{l, make(slots, mostConnections)} }

// bounded is a listener with at most mostConnections at once: the others are closed at
// once.
type bounded struct {
	net.Listener
	slots slots
}

func (l bounded) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.slots.take() {
			return &counted{Conn: c, slots: l.slots}, nil
		}
		_ = c.Close()
	}
}

// counted is a connection that frees its slot when it is closed.
type counted struct {
	net.Conn
	slots slots
	once  sync.Once
}

func (c *counted) Close() error {
	c.once.Do(c.slots.free)
	return c.Conn.Close()
}
