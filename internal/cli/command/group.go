package command

// The groups of the command tree (design §8).
const (
	GroupStart        = "start"
	GroupRun          = "run"
	GroupWatch        = "watch"
	GroupSteer        = "steer"
	GroupFinish       = "finish"
	GroupAgents       = "agents"
	GroupIntegrations = "integrations"
	GroupSupervise    = "supervise"
	GroupOther        = "other"
)
