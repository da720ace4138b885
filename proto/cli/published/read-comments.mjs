// Comments of the definitions, as generated declarations repeat them.
import { existsSync, readFileSync } from 'node:fs';

const COMMENT =
  /\/\*\*((?:(?!\*\/)[\s\S])*?)@generated from protobuf (message|enum|enum value|field|service|rpc):? ([^\n]+)/g;

/**
 * @param {string} declarations - of a module
 * @param {string} module - its path, beside which the declarations of clients lie
 * @param {string} namespace - the protobuf package
 * @returns {Map<string, string>} text by full name: `pkg.Message`, `pkg.Message.field`, `pkg.Service.Rpc`
 */
export function readComments(declarations, module, namespace) {
  const comments = new Map();
  const clients = module.replace(/\.js$/, '.client.d.ts');
  const texts = existsSync(clients) ? [declarations, readFileSync(clients, 'utf8')] : [declarations];
  let parent = namespace;
  for (const [, text, kind, rest] of texts.join('\n').matchAll(COMMENT)) {
    const name = nameIn(kind, rest.trim());
    if (kind === 'message' || kind === 'enum' || kind === 'service') parent = name;
    const words = wordsOf(text);
    const full = parent === name ? name : `${parent}.${name}`;
    if (words !== '' && !comments.has(full)) comments.set(full, words);
  }
  return comments;
}

/** `repeated cosmos.base.v1beta1.Coin amount = 2 [deprecated = true]` is `amount`; `Balance(in) returns (out)` is `Balance`. */
function nameIn(kind, rest) {
  if (kind === 'field') return /([A-Za-z0-9_]+)(?: = \d+.*)?;?$/.exec(rest)?.[1] ?? rest;
  return /^[A-Za-z0-9_.]+/.exec(rest)?.[0] ?? rest;
}

function wordsOf(text) {
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .filter((line) => !line.startsWith('@deprecated'))
    .join('\n')
    .trim();
}
