. ./expect.sh

expect "lower case" "hello-world" sh slugify.sh "Hello World"
expect "punctuation" "rock-roll" sh slugify.sh "Rock & Roll!"
expect "edges" "spaced" sh slugify.sh "  (Spaced)  "
expect "numbers" "area-51" sh slugify.sh "Area 51"
expect "accents" "cafe-brule" sh slugify.sh "Café Brûlé"
expect "umlauts" "ubersee-ahnlich" sh slugify.sh "Übersee, ähnlich"
finish
