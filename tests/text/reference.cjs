// node reference.cjs TIKTOKEN_FOLDER ENCODING tokens|pieces INPUT OUTPUT: an oracle for texts.
//   tokens: the token ids of the published implementation.
//   pieces: the lengths in bytes of the pieces that the published pattern makes, by Node's regular expressions.
// INPUT: for each text a 32-bit little-endian length and its bytes. OUTPUT: for each text a 32-bit count and as many
// 32-bit numbers. Bytes that are not UTF-8 become U+FFFD here, by Node's decoder and not by ours.
'use strict';
const fs = require('fs');
const path = require('path');

const [folder, name, question, input, output] = process.argv.slice(2);

function tokensOf() {
  const encoding = require(folder).get_encoding(name);
  return (text) => encoding.encode_ordinary(text);
}

// JavaScript has another idea of \s and, in this version, no inline (?i:…).
function piecesOf() {
  const published = JSON.parse(fs.readFileSync(path.join(folder, 'encoders', `${name}.json`))).pat_str;
  const pattern = published
    .replaceAll("(?i:'s|'t|'re|'ve|'m|'ll|'d)", "(?:'(?:[sS\u017F]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD]))")
    .replaceAll('\\s', '\\p{White_Space}')
    .replaceAll('\\S', '\\P{White_Space}');
  if (pattern.includes('(?i')) throw new Error('the pattern has a part that is not translated');
  const expression = new RegExp(pattern, 'gu');
  return (text) => (text.match(expression) ?? []).map((piece) => Buffer.byteLength(piece));
}

const answer = question === 'tokens' ? tokensOf() : piecesOf();
const bytes = fs.readFileSync(input);
const chunks = [];
for (let at = 0; at < bytes.length;) {
  const size = bytes.readUInt32LE(at);
  const numbers = answer(bytes.subarray(at + 4, at + 4 + size).toString('utf8'));
  at += 4 + size;
  chunks.push(Buffer.from(Uint32Array.from([numbers.length, ...numbers]).buffer));
}
fs.writeFileSync(output, Buffer.concat(chunks));
