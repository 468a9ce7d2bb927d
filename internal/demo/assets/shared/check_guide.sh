# The guide exists, names the function, and states the chosen language.
grep -q '^slugify ' GUIDE.md && grep -qE '^Language: (English|German),' GUIDE.md
