package suspect

import "ralph/internal/proof/redgreen"

// functionsIn returns how the functions of a language are found, where the rules about them
// know how it is written: Python, Go, JavaScript and TypeScript.
func functionsIn(lang string) (how redgreen.Hollowing, known bool) {
	if lang == "rust" {
		return redgreen.Hollowing{}, false
	}
	return redgreen.HollowingOf(lang)
}
