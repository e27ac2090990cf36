/**
 * Asks HashiCorp's parser. Reads `{ files, expressions }`, lists of texts, from standard input and writes lists of
 * answers to standard output. A process of its own, because the Go runtime inside keeps its process alive.
 */
import { readFileSync, writeSync } from 'node:fs';
import { getExpressionAst, parse } from '@cdktn/hcl2json';

const { files, expressions } = JSON.parse(readFileSync(0, 'utf8'));
const answers = { files: await answered(files, parse), expressions: await answered(expressions, getExpressionAst) };
writeAll(JSON.stringify(answers));
process.exit(0);

async function answered(texts, ask) {
  const list = [];
  for (const text of texts) {
    list.push(await ask('f', text).then((value) => ({ value }), (error) => ({ error: error.message })));
  }
  return list;
}

function writeAll(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeChunk(bytes, at);
}

/** A pipe that is full for the moment says so instead of waiting. */
function writeChunk(bytes, at) {
  try {
    return writeSync(1, bytes, at);
  } catch (error) {
    if (error.code === 'EAGAIN') return 0;
    throw error;
  }
}
