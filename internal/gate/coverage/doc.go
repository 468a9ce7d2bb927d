// Package coverage reads line coverage, in per cent, from the reports that
// coverage tools write.
//
// Parse recognises the format by content, never by name. It returns a number
// between 0 and 100, computed from counts where the format has them.
// Everything else is an error: a total of nothing, NaN, "Unknown", a decimal
// comma, more lines covered than there are, a report cut short. A gate that
// cannot read its report must not pass, and 0 % is a value while unknown is
// none.
package coverage
