// Package project opens the repository that a command works on: its configuration, its
// store, the engine, and the loop or plan that the command is about. The wiring is done by
// hand, here.
//
// A command has an Opener, which holds what it is called with: the terminal, the flags, the
// environment. It makes a Project step by step, and each command goes as far as it needs:
//
//	Locate      the repository                                         open.go
//	Configure   ralph.yaml, the environment, the user's file
//	Connect     the server of a team, the store, the engines           open.go, team.go, teamplans.go
//	Open        all of these
//
// The other methods of the Opener need the terminal beside the project:
//
//	Allow       asks whether the repository may run its programs       trust.go, trustfiles.go
//	Choose      asks which loop or plan is meant                       pick.go
//	SandboxLine what holds agents here, and preflight before a start   sandbox.go, preflight.go
//	Notifying   delivers notices while a command runs                  notify.go
//	spaceWait   waits where a disk is full                             space.go
//	CheckWorker what a machine lacks to work for a team                workerchecks.go
package project
