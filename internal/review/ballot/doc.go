// Package ballot is the verdicts of reviewers and their count: verdicts,
// votes, rules, outcomes. It is pure; package review asks the reviewers.
//
// It fails closed. Only the word approve of a verdict that carries the nonce of
// its own request approves; whatever else comes back, or nothing, does not:
//
//	approve      the reviewer's word
//	reject       the reviewer's word
//	abstain      the reviewer's word; it counts towards a quorum, and nothing else
//	malformed    no verdict in the answer, two that differ, one that contradicts itself
//	late         no answer within its time
//	unavailable  not installed, not logged in, out of quota, crashed
//	tampered     it changed files; its answer is ignored
package ballot
