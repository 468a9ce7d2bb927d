// Package claude drives Claude Code in its print mode (claude -p), reading its
// stream of JSON events.
//
// What the driver hides, seen with version 2.1.329:
//
//   - An API error is a result of subtype "success" with is_error set.
//   - There can be several results: while tasks of its own run in the
//     background, the program stays after the first and gives another for each
//     that ends. The last one counts, at the end of the output.
//   - The type of a line is not its first key, and a line can be megabytes.
//   - total_cost_usd and modelUsage continue counting over a resumed session;
//     model_usage_since_last_result does not, and has the subagents in it.
//   - SIGINT ends it with exit code 0 and a result with the cost so far, SIGTERM
//     with neither.
//   - It tries a refused login ten times, for minutes.
//   - A limit of a subscription is a rate_limit_event with the time of its
//     reset; too many requests of an API key are 429 without one.
//   - As root it refuses to skip permissions, unless IS_SANDBOX=1.
package claude
