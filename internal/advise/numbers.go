package advise

// The numbers of seed 001 and the sources that it gives for them.
const (
	// Above this completion rate of single loops, in per cent, more loops cost
	// more than they bring; at exactly this they may still pay.
	MostCompletion = 45.0
	// Above so many tool calls in an attempt coordination weighs too much.
	MostToolCalls = 8.0
	// Many loops on strictly sequential work lose so much, in per cent.
	leastLoss, mostLoss = 39, 70
	// Errors of loops multiply so often without and with a centre.
	alone, centred = 17.2, 4.4
	// MostLoops at once: beyond it there is no further gain.
	MostLoops = 4
	// FirstLoops to start with while nothing is known.
	FirstLoops = 3
	// Hierarchy begins at so many loops.
	Hierarchy = 8
	// GroupSize is how many loops one orchestration has (seed 000).
	GroupSize = 3

	fromTax   = "seed 001 (REF-086)"
	fromGuide = "seed 001 (REF-088)"
	fromSeed0 = "seed 000"
)
