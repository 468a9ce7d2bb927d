# The guide is there, names the function, and is in a language somebody chose.
grep -q '^slugify ' GUIDE.md && grep -qE '^Language: (English|German),' GUIDE.md
