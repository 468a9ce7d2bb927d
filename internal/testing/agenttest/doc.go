// Package agenttest is the contract that every driver of a real agent keeps,
// and what is needed to hold one to it: fake programs that behave as badly as
// real ones were seen to ([Scene]), recorded runs with what is to be made of
// them ([Golden]), a suite over both ([Contract]), and streams that no program
// would print ([Fuzz]).
//
// A package that uses it begins its tests with
//
//	func TestMain(m *testing.M) { agenttest.Main(m) }
//
// since the test binary plays the fake programs, and the shim that supervises
// them.
package agenttest
