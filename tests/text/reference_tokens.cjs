// node reference_tokens.cjs TIKTOKEN_FOLDER ENCODING INPUT OUTPUT: what the published implementation makes of texts.
// INPUT: for each text a 32-bit little-endian length and its bytes. OUTPUT: for each text a 32-bit count and its
// token ids. Bytes that are not UTF-8 become U+FFFD here, by Node's decoder and not by ours.
'use strict';
const fs = require('fs');

const [folder, name, input, output] = process.argv.slice(2);
const encoding = require(folder).get_encoding(name);
const bytes = fs.readFileSync(input);
const chunks = [];
for (let at = 0; at < bytes.length;) {
  const size = bytes.readUInt32LE(at);
  const text = bytes.subarray(at + 4, at + 4 + size).toString('utf8');
  at += 4 + size;
  const tokens = encoding.encode_ordinary(text);
  const header = Buffer.alloc(4);
  header.writeUInt32LE(tokens.length);
  chunks.push(header, Buffer.from(Uint32Array.from(tokens).buffer));
}
fs.writeFileSync(output, Buffer.concat(chunks));
