# Makes a repository with runs in every state, for pictures. RALPH is the program; the
# agents are scripts, gates and git are real.
set -eu
git init -q --initial-branch=main
git config user.name ann
git config user.email ann@example.com
cat > go.mod <<'EOF'
module shop

go 1.24
EOF
cat > price.go <<'EOF'
package shop

// Total is the price of an order in cents.
func Total(prices []int) int {
	sum := 0
	for _, p := range prices {
		sum += p
	}
	return sum
}
EOF
cat > price_test.go <<'EOF'
package shop

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{100, 250}); got != 350 {
		t.Errorf("Total = %d, want 350", got)
	}
}
EOF
cat > plan.json <<'EOF'
{"schema": "ralph.plan/v1", "title": "Checkout", "tasks": [
  {"id": "T1", "title": "Cart with line items"},
  {"id": "T2", "title": "Prices in cents", "needs": [{"on": "T1", "why": "stated"}]},
  {"id": "T3", "title": "Vouchers", "needs": [{"on": "T2", "why": "stated"}]},
  {"id": "T4", "title": "Taxes by country", "needs": [{"on": "T2", "why": "stated"}]},
  {"id": "T5", "title": "Payment form", "needs": [{"on": "T1", "why": "stated"}]},
  {"id": "T6", "title": "Receipt by mail", "needs": [{"on": "T3", "why": "stated"}, {"on": "T4", "why": "stated"}, {"on": "T5", "why": "stated"}]}
]}
EOF
git add --all
git commit -q -m base

agents=$(dirname "$PWD")/agents
mkdir "$agents"
cat > "$agents/discount.sh" <<'EOF'
cat > /dev/null
if [ -f discount_test.go ]; then
	formula='price - price*percent/100'
	echo "The test wants 900 for 10 % of 1000: the percent was taken as cents."
else
	formula='price - percent'
	echo "I added Discount with a test."
	cat > discount_test.go <<'GO'
package shop

import "testing"

func TestDiscount(t *testing.T) {
	if got := Discount(1000, 10); got != 900 {
		t.Errorf("Discount = %d, want 900", got)
	}
}
GO
fi
cat > discount.go <<GO
package shop

// Discount takes percent off a price in cents.
func Discount(price, percent int) int {
	return $formula
}
GO
EOF
cat > "$agents/ask.sh" <<'EOF'
cat > /dev/null
ralph ask "A total of 10.5 cents: round half up, or to even? The specification does not say." --option "half up" --option "to even" > /dev/null || true
EOF
cat > "$agents/wrong.sh" <<'EOF'
cat > /dev/null
echo "package shop // attempt $RANDOM $$" > refund.go
echo 'package shop

import "testing"

func TestRefund(t *testing.T) { t.Error("Refund = 0, want 350") }' > refund_test.go
echo "I am not sure how a refund is booked."
EOF
cat > "$agents/task.sh" <<'EOF'
prompt=$(cat)
name=$(echo "$prompt" | cksum | cut -d' ' -f1)
echo "package shop // part $name" > "part$name.go"
case "$prompt" in *"Taxes by country"*) sleep 900 ;; esac
EOF
"$RALPH" run "Take a discount in per cent off the price" --until "go test ./..." --agent-cmd "sh $agents/discount.sh" --loop-id discount > /dev/null 2>&1 || true
"$RALPH" run "Book a refund" --until "go test ./..." --agent-cmd "sh $agents/wrong.sh" --loop-id refund --max-iterations 3 > /dev/null 2>&1 || true
"$RALPH" run "Round totals to whole cents" --until "go test ./..." --agent-cmd "sh $agents/ask.sh" --loop-id rounding > /dev/null 2>&1 || true
"$RALPH" run plan.json --until "go vet ./..." --proof none --parallel 2 --agent-cmd "sh $agents/task.sh" --detach > /dev/null 2>&1 || true
# The plan goes on until the one task that takes long.
for n in $(seq 120); do
	case "$("$RALPH" status --json)" in *'T4'*) break ;; esac
	sleep 0.5
done
sleep 8
