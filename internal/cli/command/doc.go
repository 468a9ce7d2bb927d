// Package command holds what every command of the command line shares: the
// terminal that it talks to, questions to the user, the flags that all commands
// have, signals, and the groups of the help.
package command
