// Package exit maps errors to exit codes and hints. The codes are a contract
// with scripts: a code keeps its meaning. A command returns an Error where it
// knows the code, and any other error where Classify does.
package exit
