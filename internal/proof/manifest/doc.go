// Package manifest merges lists of dependencies (package.json, go.mod, pyproject.toml …): the
// dependencies of the work with everything else as on the base.
package manifest
