import { spawnSync } from 'node:child_process';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';

/**
 * @typedef {{ language: string, line: number, text: string }} CodeBlock - line of the block's first line, from 1
 */

const BLOCK = /^( *)```(\w*).*\n([\s\S]*?)^\1```$/gm;
/** Stands for lines that are left out; what is above and below it is read by itself. */
const LEFT_OUT = /^ *…\n/m;
const CODE = new Set(['js', 'mjs', 'ts', 'tsx']);

/**
 * @param {string} markdown
 * @returns {CodeBlock[]}
 */
export function codeBlocks(markdown) {
  return [...markdown.matchAll(BLOCK)].flatMap(({ 1: indent = '', 2: language = '', 3: text = '', index }) => {
    const line = markdown.slice(0, index).split('\n').length + 1;
    const pieces = text.replaceAll(new RegExp(`^${indent}`, 'gm'), '').split(LEFT_OUT);
    return pieces.map((piece) => ({ language, line, text: piece }));
  });
}

/**
 * What is wrong with a block: it cannot be read as what it says it is, or imports what a published package does not have.
 * @param {CodeBlock} block
 * @param {ReadonlyMap<string, ReadonlySet<string>>} doors - names by what they are imported from
 * @returns {string[]}
 */
export function problemsIn({ language, text }, doors) {
  // One value, or one in each line.
  if (language === 'json') return isJson(text) || text.trim().split('\n').every(isJson) ? [] : ['This is no JSON'];
  if (language === 'yaml') return parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message));
  if (language === 'sh') {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
    return status === 0 ? [] : [stderr.trim()];
  }
  if (!CODE.has(language)) return [];
  const fileName = language === 'tsx' ? 'block.tsx' : 'block.ts';
  // What is indented as a whole is a part of something: members of an object, or items of a list.
  const readings = /^\s/.test(text) ? [`({${text}})`, `[${text}]`] : [text];
  const unread = readings.map((reading) => syntaxErrors(reading, fileName));
  const errors = unread.some((one) => one.length === 0) ? [] : (unread[0] ?? []);
  return [...errors, ...strangersIn(text, fileName, doors)];
}

/**
 * @param {string} text
 * @param {string} fileName
 */
function syntaxErrors(text, fileName) {
  const { diagnostics = [] } = ts.transpileModule(text, { fileName, reportDiagnostics: true });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} text
 * @param {string} fileName
 * @param {ReadonlyMap<string, ReadonlySet<string>>} doors
 * @returns {string[]} imports that lead nowhere
 */
function strangersIn(text, fileName, doors) {
  const packages = new Set([...doors.keys()].map((door) => door.split('/', 2).join('/')));
  return ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const door = statement.moduleSpecifier.text;
    if (!packages.has(door.split('/', 2).join('/')) || door.endsWith('.css')) return [];
    const names = doors.get(door);
    if (names === undefined) return [`${door} is no door`];
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
    const wanted = bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
    return wanted.filter((name) => !names.has(name)).map((name) => `${door} has no ${name}`);
  });
}
