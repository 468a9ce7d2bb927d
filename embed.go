// Package ralph carries what ralph installs for other programs, so that the
// one binary has all of it: the plugin for Claude Code, as it lies in plugin/.
package ralph

import "embed"

// Plugin holds plugin/ and the list that offers it.
//
//go:embed .claude-plugin/marketplace.json all:plugin
var Plugin embed.FS
