package plan

// Name of an event in records.
func Name(e Event) string {
	switch e.(type) {
	case Opened:
		return "plan_opened"
	case Read:
		return "plan_read"
	case Started:
		return "task_started"
	case Planning:
		return "planning_began"
	case Accepted:
		return "plan_accepted"
	case Noted:
		return "plan_noted"
	case Taken:
		return "task_taken_up"
	case Stopped:
		return "task_stopped"
	case TaskWaits:
		return "task_waits"
	case LandBegan:
		return "land_began"
	case Repairing:
		return "land_repairing"
	case Landed:
		return "landed"
	case Repaired:
		return "repaired"
	case NotLanded:
		return "not_landed"
	case Judged:
		return "reviewed"
	case ReviewHeld:
		return "review_held"
	case Woken:
		return "plan_woken"
	case ProofBegan:
		return "proof_began"
	case Proof:
		return "proved"
	case Asked:
		return "plan_asked"
	case Answered:
		return "plan_answered"
	case Resolved:
		return "resolved"
	case Found:
		return "found"
	case PauseAsked:
		return "plan_pause_asked"
	case Resumed:
		return "plan_resumed"
	case AbortAsked:
		return "plan_abort_asked"
	case Broken:
		return "broken"
	case Rested:
		return "plan_rested"
	}
	return ""
}
