package notifier

// Wait returns when no message is on its way.
func (n *Notifier) Wait() { n.sends.Wait() }
