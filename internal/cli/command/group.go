package command

import "github.com/spf13/cobra"

// The groups of the command tree.
const (
	GroupStart        = "start"
	GroupRun          = "run"
	GroupWatch        = "watch"
	GroupSteer        = "steer"
	GroupFinish       = "finish"
	GroupAgents       = "agents"
	GroupSupervise    = "supervise"
	GroupIntegrations = "integrations"
	GroupOther        = "other"
)

// Groups returns the headings of the help, in their order.
func Groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: GroupStart, Title: "Start"},
		{ID: GroupRun, Title: "Run"},
		{ID: GroupWatch, Title: "Watch"},
		{ID: GroupSteer, Title: "Steer"},
		{ID: GroupFinish, Title: "Finish"},
		{ID: GroupAgents, Title: "Agents"},
		{ID: GroupSupervise, Title: "Supervise"},
		{ID: GroupIntegrations, Title: "Integrations"},
		{ID: GroupOther, Title: "Other"},
	}
}
