package git

import "syscall"

func changed(st *syscall.Stat_t) *syscall.Timespec { return &st.Ctimespec }
