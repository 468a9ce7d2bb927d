# Cut a text to at most so many characters, the last three being dots.
# usage: truncate.sh TEXT LIMIT
printf '%s\n' "$1"
