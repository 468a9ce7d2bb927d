package suspect

import (
	"slices"
	"strings"

	"ralph/internal/loop"
)

// kind is a sort of findings: what they do begins with its words. concern is what a person is
// asked about where one of them is left.
type kind struct {
	what    string
	concern loop.ConcernCode
}

// kinds are all of them by their weight: first what ends or steers a run of tests, then what finds
// out about it or hides from it, last what only looks around. Of two that begin alike the longer
// one comes first.
var kinds = []kind{
	{replacesRunner, loop.ConcernTampers},
	{writesExpected, loop.ConcernTampers},
	{catchesAssertions, loop.ConcernTampers},
	{endsJudge, loop.ConcernTampers},
	{switchesTest, loop.ConcernTampers},
	{writesReport, loop.ConcernTampers},
	{endsProcess, loop.ConcernSuspect},
	{forgesReport, loop.ConcernSuspect},
	{namesReport, loop.ConcernSuspect},
	{changesCode, loop.ConcernSuspect},
	{steersTests, loop.ConcernSuspect},
	{replacesHelper, loop.ConcernTampers},
	{comparesForTests, loop.ConcernTampers},
	{takesPlace, loop.ConcernTampers},
	{hidesLines, loop.ConcernSuspect},
	{changesLibrary, loop.ConcernSuspect},
	{equalsAll, loop.ConcernSuspect},
	{narrowsEquality, loop.ConcernSuspect},
	{fitsErrors, loop.ConcernSuspect},
	{fitsValues, loop.ConcernSuspect},
	{catchesAll, loop.ConcernSuspect},
	{hiddenCode, loop.ConcernSuspect},
	{looksBinary, loop.ConcernSilenced},
	{gateOnly, loop.ConcernSuspect},
	{leftOut, loop.ConcernSuspect},
	{leavesGate, loop.ConcernUndone},
	{losesCode, loop.ConcernUndone},
	{takenAway, loop.ConcernSuspect},
	{takesCode, loop.ConcernSuspect},
	{nestedModule, loop.ConcernSilenced},
	{constrainedNow, loop.ConcernSilenced},
	{constrainedCode, loop.ConcernSuspect},
	{unseenCode, loop.ConcernSilenced},
	{ignoredByTools, loop.ConcernSilenced},
	{marksImage, loop.ConcernSuspect},
	{tooLarge, loop.ConcernSuspect},
	{notImplemented, loop.ConcernUndone},
	{ignoresInput, loop.ConcernSuspect},
	{unreadInput, loop.ConcernSuspect},
	{neverRuns, loop.ConcernSuspect},
	{onlySwitched, loop.ConcernUndone},
	{namedByTask, loop.ConcernUndone},
	{namedNowhere, loop.ConcernUndone},
	{raisedNowhere, loop.ConcernUndone},
	{skipsTest, loop.ConcernWeak},
	{expectsNothing, loop.ConcernWeak},
	{notAwaited, loop.ConcernWeak},
	{answersItself, loop.ConcernWeak},
	{asksMock, loop.ConcernWeak},
	{leavesOut, loop.ConcernWeak},
	{asksLittle, loop.ConcernWeak},
	{onlyAsked, loop.ConcernSuspect},
	{storesUnread, loop.ConcernSuspect},
	{onlyTested, loop.ConcernSuspect},
	{readsSource, loop.ConcernWeak},
	{runsAsLoaded, loop.ConcernWeak},
	{loosensLimit, loop.ConcernTampers},
	{runsFile, loop.ConcernSuspect},
	{startsSelf, loop.ConcernSuspect},
	{changesPath, loop.ConcernSuspect},
	{leadsToTests, loop.ConcernSuspect},
	{copiesTests, loop.ConcernSuspect},
	{knowsAnswers, loop.ConcernSuspect},
	{copiesLines, loop.ConcernSuspect},
	{holdsCases, loop.ConcernSuspect},
	{saysMore, loop.ConcernSuspect},
	{namesCompared, loop.ConcernSuspect},
	{namesTestData, loop.ConcernSuspect},
	{findsTests, loop.ConcernSuspect},
	{findsCaller, loop.ConcernSuspect},
	{waivesTypes, loop.ConcernSuspect},
	{silencesTool, loop.ConcernSilenced},
	{declaresTypes, loop.ConcernSuspect},
	{looksAround, loop.ConcernSuspect},
}

// Weight is the rank of what a finding does, the gravest first; those of one kind share it.
func (s Finding) Weight() int {
	return slices.IndexFunc(kinds, func(k kind) bool { return strings.HasPrefix(s.What, k.what) })
}

// Concern is what a person is asked about where a finding is left.
func (s Finding) Concern() loop.ConcernCode {
	if at := s.Weight(); at >= 0 {
		return kinds[at].concern
	}
	return loop.ConcernSuspect
}
