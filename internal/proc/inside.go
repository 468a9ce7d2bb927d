package proc

// Inside says how a child is put into a sandbox. Where the zero value of a part
// is, that part is not used; package sandbox decides what they hold.
type Inside struct {
	// Wrapper are the words of a program that starts what follows them in a
	// process namespace of its own, as its first process (bwrap … --).
	Wrapper []string `json:"wrapper,omitempty"`
	// Walls are rights that the kernel takes away from the child (Landlock).
	Walls *Walls `json:"walls,omitempty"`
}

// Walls are what a child may write; it may read and execute everything.
// Landlock rules only add: what lies below a folder that is listed cannot be
// taken out again.
type Walls struct {
	// Dirs may be written with everything below, Files as they are.
	Dirs  []string `json:"dirs"`
	Files []string `json:"files"`
}

// cellWord is the first argument of the program when it is to be the first
// process inside of a sandbox.
const cellWord = "__cell"
