package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
	"ralph/internal/proof/syntax"
)

// What the configuration of a linter, formatter or type checker loads decides what it reports,
// as set-up files of tests do: modules with rules and plugins, files that it extends, lists of
// what it skips. What a source of the product or a test imports, too, is the product.

// lintConfigs are patterns of the names, in lower case, of such configuration.
var lintConfigs = []string{
	"eslint.config.*", ".eslintrc", ".eslintrc.*", "prettier.config.*", ".prettierrc", ".prettierrc.*", "stylelint.config.*", ".stylelintrc", ".stylelintrc.*", "commitlint.config.*", ".commitlintrc*",
	".dependency-cruiser.*", "tsconfig*.json", "jsconfig.json", "biome.json", "biome.jsonc", "tslint.json", "cspell.*", ".cspell.*", ".markdownlint*", "package.json",
	"ruff.toml", ".ruff.toml", "pyproject.toml", "mypy.ini", ".mypy.ini", "setup.cfg", "tox.ini", ".flake8", ".pylintrc", "pylintrc", "pyrightconfig.json", ".rubocop*", "phpstan*.neon*", ".swiftlint.y*ml", ".credo.exs",
}

var (
	// loadsConfig matches the settings that name further configuration and plugins, with lists
	// in brackets, of YAML and in further lines of an ini file.
	loadsConfig = lazyregexp.New(`(?m)["']?\b(?:extends?|inherit_from|plugins?|load-plugins|jsPlugins)["']?[ \t]*[:=][ \t]*(\[[^\]]*\]|\{[^}]*\}|[^\n\[{]*(?:\n[ \t]+-?[ \t]*[\w"'./@-]+,?[ \t]*$)*)`)
	// localPlugins matches the plugins of flake8 in the tree, localPlugin the module of one.
	localPlugins = lazyregexp.New(`(?s)\[flake8:local-plugins\](.*?)(?:\n\[|$)`)
	localPlugin  = lazyregexp.New(`=\s*([A-Za-z_][\w.]*):\w`)
	// readsFile matches a line of a module that reads a file.
	readsFile = lazyregexp.New(`\b(?:readFileSync|readFile|createReadStream|includeIgnoreFile|readJSONSync|existsSync|loadJsonFile(?:Sync)?)\b`)
)

// findLintLoads finds what the configuration loads, and what that loads, without what the
// product imports.
func (j *judging) findLintLoads() error {
	if !j.does.Inspects {
		return nil
	}
	loads := map[string][]string{}
	todo, _, err := j.reading(func(f proof.File) bool { return proof.Matches(lintConfigs, strings.ToLower(path.Base(f.Path))) })
	for ; err == nil && len(todo) > 0 && len(loads) < MostFollowed; todo = todo[1:] {
		f := todo[0]
		if _, read := loads[f.Path]; read {
			continue
		}
		data, err := j.Content(f.ID)
		if err != nil {
			return err
		}
		if loads[f.Path] = nil; len(data) > longestScript {
			continue
		}
		loads[f.Path] = j.lintNamed(f.Path, string(data))
		for _, q := range loads[f.Path] {
			if next := j.Before[q]; next.ID != "" && proof.IsFile(next) && manifest.Of(q) == nil {
				todo = append(todo, next)
			}
		}
	}
	if err != nil {
		return err
	}
	j.lintLoaded = map[string]bool{}
	for _, found := range loads {
		for _, q := range found {
			j.lintLoaded[q] = true
		}
	}
	return j.keepProduct(loads)
}

// keepProduct takes from what linters load the sources that the product imports or publishes,
// and what these import: those of a plugin that checks itself. Tests of JavaScript count as
// none of it: rules that a project writes for itself have tests, too.
func (j *judging) keepProduct(loads map[string][]string) error {
	sources, _, err := j.reading(func(f proof.File) bool {
		_, loading := loads[f.Path]
		_, test := j.isTest(f.Path)
		lang := proof.LanguageOf(f.Path)
		return len(j.lintLoaded) > 0 && (!loading && (lang == "js" && !test || lang == "python") || path.Base(f.Path) == "package.json")
	})
	if err != nil {
		return err
	}
	var product []string
	for _, f := range sources {
		data, err := j.Content(f.ID)
		if err != nil {
			return err
		}
		if len(data) > longestScript {
			continue
		}
		t := gateText{from: f.Path, text: string(data)}
		for p := range j.lintLoaded {
			if t.imports(p) || slices.ContainsFunc(syntax.RelativeImports(t.text), func(m string) bool { return path.Join(proof.DirOf(f.Path), m) == p }) || path.Base(f.Path) == "package.json" && publishes(f.Path, t.text, p) {
				product = append(product, p)
			}
		}
	}
	for ; len(product) > 0; product = product[1:] {
		if j.lintLoaded[product[0]] {
			delete(j.lintLoaded, product[0])
			product = append(product, loads[product[0]]...)
		}
	}
	return nil
}

// entry matches what a package.json gives to those who import the package.
var entry = lazyregexp.New(`"(?:main|module|exports|bin|import|require|default|\.[\w./-]*)"\s*:\s*"([^"]+)"`)

func publishes(manifest, text, p string) bool {
	return path.Join(proof.DirOf(manifest), "index.js") == p || slices.ContainsFunc(entry.FindAllStringSubmatch(text, -1), func(m []string) bool { return path.Join(proof.DirOf(manifest), m[1]) == p })
}

// lintNamed are the files of the base or the work that a file of configuration loads.
func (d *Diff) lintNamed(from, text string) (found []string) {
	dir := proof.DirOf(from)
	add := func(name string, dotted bool) {
		names := []string{name}
		if dotted && !strings.Contains(name, "/") {
			module := strings.ReplaceAll(name, ".", "/")
			names = append(names, module+".py", module+"/__init__.py")
		}
		for _, name := range names {
			for _, ending := range slices.Concat(syntax.NodeEndings, []string{".json", "/index.js", "/index.mjs", "/index.cjs", "/index.ts"}) {
				q := path.Join(dir, strings.TrimPrefix(name, "<rootDir>/")+ending)
				_, had := d.Before[q]
				if _, has := d.After[q]; had || has {
					found = append(found, q)
				}
			}
		}
	}
	if proof.LanguageOf(from) == "js" {
		for _, m := range syntax.RelativeImports(text) {
			add(m, false)
		}
		for line := range strings.Lines(text) {
			if !readsFile.MatchString(line) {
				continue
			}
			for _, m := range syntax.Quoted.FindAllStringSubmatch(line, -1) {
				if proof.LanguageOf(m[1]) == "" {
					add(strings.TrimPrefix(m[1], "/"), false)
				}
			}
		}
	}
	for _, m := range loadsConfig.FindAllStringSubmatch(text, -1) {
		for _, w := range nameLike.FindAllString(m[1], -1) {
			if strings.ContainsAny(w, "./") && strings.Trim(w, "./") != "" {
				add(w, true)
			}
		}
	}
	for _, m := range localPlugins.FindAllStringSubmatch(text, -1) {
		for _, module := range localPlugin.FindAllStringSubmatch(m[1], -1) {
			add(module[1], true)
		}
	}
	return found
}
