package proc

import "context"

// Leash ties a background to its starter. On Windows there is none.
type Leash struct{}

func (Background) start(context.Context) (Parted, error) { return Parted{}, ErrNoBackground }

func holdLeash() *Leash { return nil }

// Held says whether the starter still waits.
func (*Leash) Held() bool { return true }

// Free says whether it was let go.
func (*Leash) Free() bool { return false }

// LetGo makes this process outlive the terminal.
func (*Leash) LetGo(string) error { return ErrNoBackground }
