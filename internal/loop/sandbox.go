package loop

// Sandbox says what is to hold an agent and its gates.
type Sandbox string

// The kinds of wish. Auto takes what this machine offers, also nothing; require
// and the two names refuse to start without.
const (
	SandboxAuto       Sandbox = "auto"
	SandboxRequire    Sandbox = "require"
	SandboxOff        Sandbox = "off"
	SandboxBubblewrap Sandbox = "bubblewrap"
	SandboxLandlock   Sandbox = "landlock"
)

// Holder says what held a process while it ran; empty is not recorded.
type Holder string

// What can hold a process.
const (
	HeldBubblewrap Holder = "bubblewrap"
	HeldLandlock   Holder = "landlock"
	HeldNone       Holder = "none"
)
