package loop

import "time"

// EndsAt is when a loop that its agent drives ends by itself if nothing
// happens: its time, or its time without progress, is over. It is zero while
// that time stands still, or where there is no limit.
func (s *State) EndsAt() time.Time {
	if s.Mode != AgentDriven || s.Status != Running {
		return time.Time{}
	}
	var until time.Time
	if hard := s.Limits.Loop.Hard; hard > 0 {
		until = s.LastAt.Add(max(hard-s.Active, 0))
	}
	if stall := s.Limits.Stall; stall > 0 {
		if at := s.LastAt.Add(max(stall-(s.Active-s.ProgressActive), 0)); until.IsZero() || at.Before(until) {
			until = at
		}
	}
	return until
}
