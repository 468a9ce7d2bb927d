package plugin

// whole is a file in a folder of ralph's own.
type whole struct{ text []byte }

func (w whole) add([]byte) ([]byte, []string, error) { return w.text, nil, nil }

func (w whole) remove(_, _ []byte) ([]byte, []string, error) { return nil, nil, nil }

// absent is a file in such a folder that an older ralph has put there.
type absent struct{}

func (absent) add([]byte) ([]byte, []string, error) { return nil, nil, nil }

func (absent) remove(_, _ []byte) ([]byte, []string, error) { return nil, nil, nil }
