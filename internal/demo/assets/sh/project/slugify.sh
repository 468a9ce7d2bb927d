# Turn a title into lower-case ASCII words, joined by hyphens.
printf '%s\n' "$1"
