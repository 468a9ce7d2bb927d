package proc

// order is one byte on the lifeline.
type order byte

const (
	orderStop    order = 's' // ask: INT, TERM, KILL
	orderCancel  order = 'c' // TERM, KILL
	orderTimeout order = 't'
	orderFinish  order = 'f'
	orderKill    order = 'k'
	// orderAbandon is never sent: it is what the shim makes of the lifeline's
	// end and of a TERM to itself.
	orderAbandon order = 'a'
)

// ending is how a child that this order ends has ended.
func (o order) ending() ending {
	switch o {
	case orderTimeout:
		return byTimeout
	case orderFinish:
		return byFinish
	case orderAbandon:
		return byAbandoned
	}
	return byStop
}

// urgency orders the orders: only a more urgent one replaces another.
func (o order) urgency() int {
	switch o {
	case orderStop:
		return 1
	case orderKill:
		return 3
	}
	return 2
}
