// Command secretrules makes the rules by which ralph recognises secrets from those
// of gitleaks (MIT licence, internal/secret/LICENSE.gitleaks):
//
//	go run ./internal/testing/secretrules gitleaks.toml > internal/secret/rules.json
//
// gitleaks.toml is the file config/gitleaks.toml of a release.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ralph/internal/secret"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "secretrules:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("name the file gitleaks.toml")
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	rules, err := convert(data)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(rules)
}

// document is the part of gitleaks.toml that is used.
type document struct {
	Rules []struct {
		ID          string
		Regex       string
		SecretGroup int
		Entropy     float64
		Keywords    []string
		Allowlists  []struct {
			RegexTarget string
			Regexes     []string
		}
	}
}

// left out are rules that find ordinary words in the output of programs, and those
// that need more than a line; package secret finds private keys by itself.
var leftOut = []string{"generic-api-key", "curl-auth-user", "curl-auth-header", "private-key", "pkcs12-file", "kubernetes-secret-yaml"}

func convert(data []byte) ([]secret.Rule, error) {
	var d document
	if err := toml.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("read the rules: %w", err)
	}
	var out []secret.Rule
	for _, r := range d.Rules {
		if slices.Contains(leftOut, r.ID) || r.Regex == "" {
			continue
		}
		rule := secret.Rule{ID: r.ID, Pattern: r.Regex, Group: r.SecretGroup, Entropy: r.Entropy}
		if r.ID == "jwt" { // its keyword ey stands in every third line
			r.Keywords = []string{"eyJ"}
		}
		for _, k := range r.Keywords {
			rule.Keywords = append(rule.Keywords, strings.ToLower(k))
		}
		for _, a := range r.Allowlists {
			if a.RegexTarget == "" {
				rule.Except = append(rule.Except, a.Regexes...)
			}
		}
		out = append(out, rule)
	}
	return out, nil
}
