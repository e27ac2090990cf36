import { readFileSync } from 'node:fs';
import { PluginFault } from './fault.mjs';

const TEXTS_AND_COMMENTS = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;
const TEXTS_AND_LAST_COMMAS = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g;

/** A JSON file of the project; comments and commas at the end of a list are allowed, as in a tsconfig.json. */
export function readJson(tree, path) {
  const text = withoutComments(readText(tree, path));
  const value = parsed(path, text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new PluginFault(`${path} must hold a JSON object`);
}

/** A file that the plugin cannot do without. */
export function readText(tree, path) {
  try {
    return readFileSync(tree.absolute(path), 'utf8');
  } catch (error) {
    throw new PluginFault(`${path} cannot be read: ${error.message}`);
  }
}

function parsed(path, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PluginFault(`${path} is not JSON: ${error.message}`);
  }
}

function withoutComments(text) {
  const keepTexts = (match) => (match.startsWith('"') ? match : ' ');
  return text.replace(/^\uFEFF/, '').replace(TEXTS_AND_COMMENTS, keepTexts).replace(TEXTS_AND_LAST_COMMAS, keepTexts);
}
