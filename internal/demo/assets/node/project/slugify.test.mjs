import assert from "node:assert/strict";
import test from "node:test";

import { slugify } from "./slugify.mjs";

test("lower case", () => assert.equal(slugify("Hello World"), "hello-world"));
test("punctuation", () => assert.equal(slugify("Rock & Roll!"), "rock-roll"));
test("edges", () => assert.equal(slugify("  (Spaced)  "), "spaced"));
test("numbers", () => assert.equal(slugify("Area 51"), "area-51"));
test("accents", () => assert.equal(slugify("Café Brûlé"), "cafe-brule"));
test("umlauts", () => assert.equal(slugify("Übersee, ähnlich"), "ubersee-ahnlich"));
