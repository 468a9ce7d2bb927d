// Package judge finds the files that judge the work of an agent, and what a gate does: it
// follows the gate's command through scripts, goals of make, scripts of packages and
// configuration to the files that decide its verdict (see Case.Judges). A work is judged with
// these as they were before it, too.
package judge
