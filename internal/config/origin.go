package config

import "strconv"

// Layer is one of the five places a value can come from.
type Layer string

// The layers, the strongest first.
const (
	FlagLayer    Layer = "flag"
	EnvLayer     Layer = "env"
	ProjectLayer Layer = "project"
	UserLayer    Layer = "user"
	BuiltIn      Layer = "built-in"
)

// Origin tells who gave a value. File is the file's name, the variable or the
// flag; Line and Column are 0 outside files.
type Origin struct {
	Layer  Layer
	File   string
	Line   int
	Column int
}

func (o Origin) String() string {
	switch {
	case o.File == "":
		return string(BuiltIn)
	case o.Line == 0:
		return o.File
	}
	return o.File + ":" + strconv.Itoa(o.Line)
}

// Value is one effective value as `ralph config show` prints it.
type Value struct {
	Key    string
	Value  string
	Origin Origin
}
