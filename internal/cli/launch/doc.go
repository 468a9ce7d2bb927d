// Package launch turns flags and configuration into the specification of a
// loop: its gates, its agents and reviewers, its limits and budgets. It refuses
// what could not run before anything is started.
package launch
