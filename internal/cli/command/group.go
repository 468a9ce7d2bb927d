package command

// The groups of the command tree, in the order of the help.
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
