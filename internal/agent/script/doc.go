// Package script plays a scenario instead of an agent: the edits, words,
// pauses, crashes and questions that a file lists for each attempt. It uses
// no model, and every view of a loop shows that. It is for demonstrations
// and tests, and the smallest example of a driver with a protocol.
//
// The scenario is YAML:
//
//	attempts:
//	  - - say: I changed the greeting.        # a text event
//	    - write: {path: hello.txt, text: "hi\n"}
//	  - - sh: sed -i s/hi/hello/ hello.txt    # anything else, in the tree
//	    - result: All done.                   # the final words
//
// Attempt n plays the n-th list; attempts beyond the last play the last again.
// A limit, a question or a transient error ends a run without using the attempt
// up: when it is run again, its list is played anew without that step. The
// player is this program run again (`ralph __script FILE`) as a supervised
// child, so that crashes, hangs and runaways are real ones. It writes one JSON
// event a line; output of `print` in a scenario is not part of it.
package script
