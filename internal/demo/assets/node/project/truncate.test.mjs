import assert from "node:assert/strict";
import test from "node:test";

import { truncate } from "./truncate.mjs";

test("empty", () => assert.equal(truncate("", 8), ""));
test("short", () => assert.equal(truncate("short", 8), "short"));
test("exact fit", () => assert.equal(truncate("just fit", 8), "just fit"));
test("long", () => assert.equal(truncate("rather long", 8), "rathe..."));
test("very long", () => assert.equal(truncate("very ".repeat(20), 12), "very very..."));
