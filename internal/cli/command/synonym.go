package command

import "sync"

// synonyms are words that users know from other programs, with the commands that do
// what they mean, the likeliest first.
var synonyms = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"attach": {"watch", "logs -f"}, "top": {"watch"}, "tui": {"watch"}, "dashboard": {"watch"}, "monitor": {"watch"}, "ui": {"watch"},
		"ls": {"status"}, "list": {"status"}, "ps": {"status"}, "jobs": {"status"}, "loops": {"status"}, "st": {"status"},
		"stop": {"pause", "abort"}, "halt": {"pause", "abort"}, "suspend": {"pause"},
		"kill": {"abort"}, "cancel": {"abort"}, "end": {"abort"}, "quit": {"abort"},
		"rm": {"archive", "clean"}, "remove": {"archive", "clean"}, "delete": {"archive", "clean"}, "del": {"archive", "clean"},
		"prune": {"clean"}, "gc": {"clean"}, "cleanup": {"clean"}, "purge": {"clean"},
		"start": {"run"}, "new": {"run"}, "do": {"run"}, "exec": {"run"}, "go": {"run"}, "begin": {"run"}, "task": {"run"},
		"continue": {"resume"}, "unpause": {"resume"}, "restart": {"retry", "resume"}, "rerun": {"retry"}, "again": {"retry"}, "redo": {"retry"},
		"merge": {"accept"}, "land": {"accept"}, "apply": {"accept"}, "finish": {"accept"}, "commit": {"accept"},
		"reply": {"answer"}, "approve": {"answer", "plan approve"}, "reject": {"answer"}, "say": {"steer"}, "tell": {"steer"}, "guide": {"steer"},
		"tail": {"logs -f"}, "log": {"logs"}, "history": {"status --all"}, "events": {"logs"}, "output": {"logs"},
		"inspect": {"show"}, "info": {"show"}, "describe": {"show"}, "get": {"show"}, "diff": {"show ID --diff"}, "evidence": {"show ID --evidence"},
		"check": {"loop check", "plan check", "doctor"}, "verify": {"loop check"}, "setup": {"init"}, "install": {"init", "plugin install"},
		"mv": {"move"}, "transfer": {"move"}, "settings": {"config"}, "agents": {"doctor"}, "daemon": {"serve"}, "upgrade": {"version"},
		"plan run": {"run FILE"}, "plan start": {"run FILE"}, "plan status": {"status"}, "plan resume": {"resume ID"}, "plan accept": {"accept ID"}, "plan list": {"status"},
		"loop run": {"loop init", "run"}, "loop start": {"loop init"},
	}
})
