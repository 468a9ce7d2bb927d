package exit

import "fmt"

// The exit codes of all commands (docs/formats.md). A panic of Go's own would exit
// with 2, which users read as "keep iterating"; cli.Main maps it to Internal.
const (
	Done        = 0
	Failed      = 1
	Unfinished  = 2
	Human       = 3
	Limit       = 4
	Usage       = 64
	Missing     = 69
	Internal    = 70
	Busy        = 75
	Config      = 78
	Timeout     = 124
	Interrupted = 130
	Terminated  = 143
)

// Error is an error with its exit code and a hint at what to do next. With
// Quiet set the command has printed everything already.
type Error struct {
	Code  int
	Err   error
	Hint  string
	Quiet bool
}

func (f *Error) Error() string { return f.Err.Error() }
func (f *Error) Unwrap() error { return f.Err }

// UsageError returns an error in how the program was called.
func UsageError(hint, format string, args ...any) error {
	return &Error{Code: Usage, Err: fmt.Errorf(format, args...), Hint: hint}
}

// With ends a command with a code and without a message.
func With(code int) error {
	if code == Done {
		return nil
	}
	return &Error{Code: code, Err: fmt.Errorf("exit code %d", code), Quiet: true}
}
