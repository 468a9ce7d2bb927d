// Package agenttest is the contract of every driver of a real agent, with the
// means to check it: fake programs that misbehave as real ones did ([Scene]),
// recorded runs with the expected result ([Golden]), a suite over both
// ([Contract]), and arbitrary streams ([Fuzz]).
//
// A package that uses it begins its tests with
//
//	func TestMain(m *testing.M) { agenttest.Main(m) }
//
// since the test binary plays the fake programs, and the shim that supervises
// them.
package agenttest
