. ./expect.sh

expect "empty" "" sh truncate.sh "" 8
expect "short" "short" sh truncate.sh "short" 8
expect "exact fit" "just fit" sh truncate.sh "just fit" 8
expect "long" "rathe..." sh truncate.sh "rather long" 8
expect "very long" "very very..." sh truncate.sh "very very very very very" 12
finish
