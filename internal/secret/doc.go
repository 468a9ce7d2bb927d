// Package secret recognises secrets in text and masks them: the values of variables
// that are named like secrets, the well-known forms of keys and tokens, and private
// keys. It is pure.
//
// A Masker masks whole texts (Mask) and streams (Writer), also where a secret is cut
// by the border of two writes. Added names the secrets that a change has.
//
// A text is searched as it stands and as it is read: invisible parts of it (sequences of
// a terminal, control characters, characters without a width), as in a coloured diff,
// do not hide a secret, nor do the escapes of JSON (view).
//
// The forms are the rules of gitleaks 8.30.1 (rules.json, made by
// internal/testing/secretrules; licence in LICENSE.gitleaks), without its generic
// rule, which takes ordinary words of programs for secrets. A rule's expression is
// compiled and tried only where one of its keywords stands: one pass of an automaton
// looks for all keywords at once.
package secret
