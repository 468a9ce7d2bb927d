package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/proc"
	"ralph/internal/testing/modelserver"
)

// client is one agent's program, and how it reaches the scripted model.
type client struct {
	name, title  string
	pkg, version string
	// with are further packages, such as a newer node.
	with []string
	// adapter: the program speaks the protocol for another one and is tested with
	// the Agent Client Protocol only.
	adapter bool
	// heavy: it is left out of a quick run, for its packages or its time.
	heavy bool
	// program is its file, where that is not its name. run starts it with the
	// Agent Client Protocol; without run its native driver is tested.
	program string
	run     []string
	// env and files, by their path in the home, point it to the server.
	env   func(url string) []string
	files func(url string) map[string]string
	// args and own variables are written to ralph.yaml.
	args  []string
	model string
	// forbidden is a call that its permissions refuse by default.
	forbidden modelserver.Call
	// look is its call that reads a file.
	look modelserver.Call
}

// clients are the six programs, at the versions that their drivers were made for,
// again those that speak the Agent Client Protocol themselves, and the adapters of
// the two that do not.
func clients() []client {
	return []client{
		claudeCode(), codexCLI(), geminiCLI(), openCode(), copilotCLI(), qwenCode(),
		geminiOverACP(), openCodeOverACP(), copilotOverACP(), qwenOverACP(), claudeAdapter(), codexAdapter(),
	}
}

// newNode is a node for the packages that need one newer than the oldest that is
// maintained.
const newNode = "node@22.23.3"

func copilotCLI() client {
	return client{
		name: "copilot", title: "Copilot CLI", pkg: "@github/copilot", version: "1.0.102", model: "test-model",
		env: func(url string) []string {
			return []string{"COPILOT_PROVIDER_BASE_URL=" + url + "/v1", "COPILOT_PROVIDER_API_KEY=test-key", "COPILOT_MODEL=test-model", "COPILOT_OFFLINE=true"}
		},
		forbidden: modelserver.Run("echo outside >$HOME/outside"),
		look:      modelserver.Use("view", map[string]any{"path": "readme"}),
	}
}

func copilotOverACP() client {
	return overACP(copilotCLI(), "--acp", "--no-auto-update")
}

func qwenCode() client {
	return client{
		name: "qwen", title: "Qwen Code", pkg: "@qwen-code/qwen-code", version: "0.24.4", with: []string{newNode}, model: "test-model",
		env: func(url string) []string {
			return []string{"OPENAI_BASE_URL=" + url + "/v1", "OPENAI_API_KEY=test-key", "OPENAI_MODEL=test-model"}
		},
		files: func(string) map[string]string {
			return map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"openai"}},"permissions":{"deny":["Bash(curl *)"]}}`}
		},
		forbidden: modelserver.Run("curl http://127.0.0.1:9/"),
		look:      modelserver.Use("read_file", map[string]any{"file_path": "readme"}),
	}
}

func qwenOverACP() client {
	c := overACP(qwenCode(), "--acp")
	c.heavy = true
	return c
}

func claudeAdapter() client {
	c := claudeCode()
	c.pkg, c.version, c.with = "@agentclientprotocol/claude-agent-acp", "0.101.0", []string{newNode}
	return adapter(c, "claude-agent-acp")
}

func codexAdapter() client {
	c := codexCLI()
	c.pkg, c.version = "@agentclientprotocol/codex-acp", "2.6.0"
	return adapter(c, "codex-acp")
}

func adapter(c client, program string) client {
	c.name, c.program, c.run, c.model, c.adapter, c.heavy = c.name+"-acp", program, []string{program}, "", true, true
	c.title = "ACP: " + c.title + " by " + program
	return c
}

func geminiOverACP() client {
	return overACP(geminiCLI(), "--acp", "--model", "gemini-2.5-pro")
}

// openCodeOverACP takes its model from its settings.
func openCodeOverACP() client {
	c := openCode()
	files := c.files
	c.files = func(url string) map[string]string {
		all := files(url)
		for name, text := range all {
			all[name] = strings.Replace(text, "{", `{"model":"`+openCode().model+`",`, 1)
		}
		return all
	}
	c = overACP(c, "acp", "--print-logs")
	c.heavy = true
	return c
}

func overACP(c client, args ...string) client {
	c.program, c.run, c.model = c.name, append([]string{c.name}, args...), ""
	c.name, c.title = c.name+"-acp", "ACP: "+c.title
	return c
}

// acp reports whether it is driven through the protocol, which reports less.
func (c client) acp() bool { return c.run != nil }

// command is the name of its program.
func (c client) command() string { return cmp.Or(c.program, c.name) }

func claudeCode() client {
	return client{
		name: "claude", title: "Claude Code", pkg: "@anthropic-ai/claude-code", version: "2.1.329", model: "claude-sonnet-4-5",
		env: func(url string) []string {
			return []string{"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=test-key"}
		},
		forbidden: modelserver.Use("WebFetch", map[string]any{"url": "http://127.0.0.1:9/", "prompt": "what is there?"}),
		look:      modelserver.Use("Read", map[string]any{"file_path": "readme"}),
	}
}

func codexCLI() client {
	return client{
		name: "codex", title: "Codex", pkg: "@openai/codex", version: "0.169.0",
		env: func(string) []string { return []string{"TEST_API_KEY=test-key"} },
		files: func(url string) map[string]string {
			return map[string]string{".codex/config.toml": fmt.Sprintf(
				"model = \"gpt-test\"\nmodel_provider = \"test\"\n[model_providers.test]\nname = \"test\"\nbase_url = %q\nenv_key = \"TEST_API_KEY\"\nwire_api = \"responses\"\n", url+"/v1")}
		},
		forbidden: modelserver.Run("echo outside >$HOME/outside"),
		look:      modelserver.Run("cat readme"),
	}
}

func geminiCLI() client {
	return client{
		name: "gemini", title: "Gemini CLI", pkg: "@google/gemini-cli", version: "0.61.0", model: "gemini-2.5-pro",
		env: func(url string) []string { return []string{"GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_API_KEY=test-key"} },
		files: func(string) map[string]string {
			return map[string]string{
				".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false}}`,
				// A tool that is forbidden completely is not offered, and the
				// program's own refusals are only prose. This rule is reported
				// as a refusal.
				".gemini/policies/test.toml": "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"curl\"\ndecision = \"deny\"\npriority = 900\n",
			}
		},
		forbidden: modelserver.Run("curl http://127.0.0.1:9/"),
		look:      modelserver.Use("read_file", map[string]any{"file_path": "readme"}),
	}
}

func openCode() client {
	return client{
		name: "opencode", title: "opencode", pkg: "opencode-ai", version: "1.18.33", model: "test/test-model",
		env: func(string) []string { return []string{"OPENCODE_DISABLE_MODELS_FETCH=1"} },
		files: func(url string) map[string]string {
			return map[string]string{".config/opencode/opencode.json": fmt.Sprintf(`{"provider":{"test":{
				"npm":"@ai-sdk/openai-compatible","name":"test","options":{"baseURL":%q,"apiKey":"test-key"},
				"models":{"test-model":{"name":"test","limit":{"context":128000,"output":8000},"cost":{"input":3,"output":15,"cache_read":0.3}}}}}}`, url+"/v1")}
		},
		forbidden: modelserver.Write("/etc/outside-of-the-tree", "no\n"),
		look:      modelserver.Use("read", map[string]any{"filePath": "readme"}),
	}
}

// errNoPackages is returned when npm cannot install.
var errNoPackages = fmt.Errorf("%w: npm does not deliver the agents' packages", errCannot)

// install installs a package in the cache, unless it is there.
func (c client) install(ctx context.Context, cache string) error {
	dir := c.dir(cache)
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out, err := proc.Run(ctx, proc.Command{
		Argv: append([]string{"npm", "install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", "--fetch-retries=1", "--prefix", dir, c.pkg + "@" + c.version}, c.with...),
		Dir:  dir, Env: os.Environ(),
	})
	if err != nil || out.Code != 0 {
		return fmt.Errorf("%w: %s@%s: %w", errNoPackages, c.pkg, c.version, ended(err, out))
	}
	if _, err := os.Stat(filepath.Join(c.bin(cache), c.command())); err != nil {
		return fmt.Errorf("%w: %s has no program %s", errNoPackages, c.pkg, c.command())
	}
	return os.WriteFile(filepath.Join(dir, "complete"), nil, 0o644)
}

// newest asks for the newest version of a package.
func (c client) newest(ctx context.Context) (string, error) {
	out, err := proc.Run(ctx, proc.Command{Argv: []string{"npm", "view", c.pkg, "version", "--loglevel=error"}, Env: os.Environ()})
	if err != nil || out.Code != 0 {
		return "", fmt.Errorf("%w: %s: %w", errNoPackages, c.pkg, ended(err, out))
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}

func (c client) dir(cache string) string { return filepath.Join(cache, c.command()+"-"+c.version) }
func (c client) bin(cache string) string { return filepath.Join(c.dir(cache), "node_modules", ".bin") }

// ended returns why a program failed: it could not run, or its last output.
func ended(err error, out proc.Output) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("it ended with %d: %s", out.Code, tail(out.Stderr))
}

func tail(b []byte) string { return string(b[max(0, len(b)-1500):]) }
