// Package copilot drives GitHub Copilot CLI in its non-interactive mode, reading
// its stream of JSON events.
//
// What the driver hides, seen with version 1.0.102:
//
//   - Its errors have types, its quota errors codes; the newest failed call of
//     the model names the provider's own code, which alone tells that a
//     conversation is too long.
//   - Between two tries it prints events that say nothing new.
//   - Tokens stand in a file only (--usage-output-file), as totals of the session,
//     also over a resumed one; cached input is part of input. Premium requests
//     are not money.
//   - It does not tell when a quota resets.
//   - A tool that needs approval is refused where no user can be asked, and the
//     run continues. A shell line may neither name a path outside of the tree nor
//     an address of the network.
//   - A run that is interrupted prints no result.
//   - Its commands do not see the key of the provider.
//   - It unpacks itself into the cache folder at the first start.
package copilot
