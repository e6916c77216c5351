// What tiktoken (its npm package, compiled to WebAssembly) takes to load a table and to count, for comparison with
// bench/token_counter_bench, which counts the same kind of text.
//   node bench/tiktoken_time.mjs FILE
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const began = performance.now();
const { get_encoding } = createRequire(new URL("../deps/", import.meta.url))("tiktoken");
const encoding = get_encoding("o200k_base");
const loaded = performance.now();
const text = readFileSync(process.argv[2], "utf8");
const read = performance.now();
const tokens = encoding.encode(text, [], []).length;
const took = (performance.now() - read) / 1000;
console.log(`o200k: ready after ${(loaded - began).toFixed(0)} ms, ${(Buffer.byteLength(text) / 1e6 / took).toFixed(1)} MB/s, ${tokens} tokens`);
