# A test is: expect NAME WANTED COMMAND... It writes the lines of TAP.
n=0 failures=0

expect() {
	name=$1 want=$2
	shift 2
	n=$((n + 1))
	got=$("$@")
	if [ "$got" = "$want" ]; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name: expected '$want', got '$got'"
		failures=$((failures + 1))
	fi
}

finish() {
	echo "1..$n"
	[ "$failures" -eq 0 ]
}
