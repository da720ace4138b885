import { maskMsisdn } from './mask.js';
import { secretEnds } from './secret-names.js';

const hidden = '[redacted]';
const lengthLimit = 4_096;

/**
 * `name=value`, `"name": "value"`, `name: value`, also in queries and forms. Matched at the beginnings of words only, so its time
 * is linear.
 */
const assignment = new RegExp(
  `(?<![\\w.-]|did:)([\\w.-]*?${secretEnds})(["'\\]]{0,2}\\s{0,3}(?:=|:|%3D)\\s{0,3})("[^"]*"?|'[^']*'?|[^\\s&;,"'<>{}[\\]]+)`,
  'gi',
);
/** Headers with a secret value, including its blanks and semicolons. */
const header = /(?<![\w-])((?:set-)?cookie|(?:proxy-)?authorization)(["']?\s{0,3}[:=]\s{0,3})[^\r\n]+/gi;
const scheme = /\b(bearer)(?:\s|%20|\+){1,3}[^\s"',;]+/gi;
const basic = /\b(basic)\s{1,3}([\w+/-]{4,}={0,2})/gi;
const pinInWords = /\b(pins?\b(?: (?:is|was|of|code))?\W{0,3})\d{3,12}/gi;
/**
 * Tokens with a known prefix: JSON Web Tokens, and keys of well-known services and of our own. A text with only the prefix is
 * removed whole.
 */
const branded =
  /\b(?:eyJ[\w-]{8,}(?:\.[\w-]*){0,4}|(?:xox[a-z]|sk|mlk|gh[a-z]|glpat|AKIA)[-_]?[\w-]{12,})(?:[+/][\w+/-]*={0,2})?/g;
/** As long as 32 bytes in base64url, or longer. */
const longRun = /(?<![\w+/-])[\w+/-]{42,}={0,2}/g;
/** Names of public values: a CID is a hash. */
const cid = /^(?:b[a-z2-7]{58}|Qm[1-9A-HJ-NP-Za-km-z]{44})$/;
const did = /did:[a-z0-9]+:(?:[\w.-]+:)*$/;
/** With a plus, in groups or not; or bare, as gateways send them. */
const phone = /(?:\+|%2B)\d[\d ().-]{5,20}\d|(?<!\w|\d\.)\d{10,15}(?!\w|\.\d)/gi;

/**
 * A text without secrets: credentials in URLs, `Bearer …`, cookies, values under names of secrets, PINs next to that word, tokens
 * with a recognisable form, and phone numbers with their middle hidden. Each rule takes linear time.
 */
function scrubText(text: string): string {
  let clean = text;
  if (clean.includes('//') && clean.includes('@')) clean = clean.replace(/\S+/g, withoutUser);
  if (/[=:]|%3D/i.test(clean)) clean = hide(hide(clean, header, `$1$2${hidden}`), assignment, `$1$2${hidden}`);
  if (clean.length > 6) clean = hide(hide(clean, scheme, `$1 ${hidden}`), basic, withoutPassword);
  if (/\d{3}/.test(clean)) clean = hide(hide(clean, pinInWords, `$1${hidden}`), phone, withoutNumber);
  if (clean.length > 14) clean = hide(hide(clean, branded, hidden), longRun, unlessOpen);
  return clean;
}

/** `replace` is slow even without a match, which is the usual case; `test` is not. */
function hide(text: string, rule: RegExp, shown: string | Replacer): string {
  if (text.search(rule) === -1) return text;
  return typeof shown === 'string' ? text.replace(rule, shown) : text.replace(rule, shown);
}

type Replacer = Parameters<string['replace']>[1];

/** A text of bounded length without secrets. The last word of a truncated text is dropped: it may be half a secret. */
export function cleanText(text: string, limit = lengthLimit): string {
  if (text.length <= limit) return scrubText(text);
  const cut = text.slice(0, limit).replace(/[^\s,;"'<>]+$/, '');
  return `${scrubText(cut)}[${text.length - cut.length} more characters]`;
}

/** A secret in a URL's authority may contain any character except a blank. A path has none. */
function withoutUser(word: string): string {
  const start = word.search(/(?<!\/)\/\/(?!\/)/);
  const end = word.lastIndexOf('@');
  return start !== -1 && end > start ? `${word.slice(0, start)}//***${word.slice(end)}` : word;
}

/** "basic authentication" is no credential. */
function withoutPassword(whole: string, name: string, code: string): string {
  return Buffer.from(code, 'base64').includes(':') ? `${name} ${hidden}` : whole;
}

function withoutNumber(found: string, offset: number, whole: string): string {
  const digits = found.replace(/%2B|\D/gi, '');
  const isNumber = /^[+%]/.test(found) ? digits.length >= 7 : !isTime(digits) && !isEndOfUuid(whole, offset);
  if (!isNumber) return found;
  const sign = found.startsWith('+') ? '+' : '';
  return maskMsisdn(`${sign}${digits}`);
}

/** Milliseconds and seconds since 1970, until 2033. */
function isTime(digits: string): boolean {
  return digits.startsWith('1') && (digits.length === 13 || digits.length === 10);
}

function isEndOfUuid(whole: string, offset: number): boolean {
  return /[0-9a-f]{4}-$/.test(whole.slice(Math.max(0, offset - 5), offset));
}

function unlessOpen(run: string, offset: number, whole: string): string {
  const isOpen = cid.test(run) || did.test(whole.slice(Math.max(0, offset - 80), offset)) || isWords(run);
  return isOpen ? run : hidden;
}

/** Paths and long names have hardly any letter next to one of another case or a digit; random ones have three in five. */
function isWords(run: string): boolean {
  let neighbours = 0;
  let changes = 0;
  let before = 0;
  for (let at = 0; at < run.length; at += 1) {
    const kind = kindOfCharacter(run.charCodeAt(at));
    if (kind !== 0 && before !== 0) {
      neighbours += 1;
      if (kind !== before) changes += 1;
    }
    before = kind;
  }
  return changes * 5 < neighbours;
}

/** 1 for a digit, 2 for a capital, 3 for a small letter, 0 for a separator. */
function kindOfCharacter(code: number): 0 | 1 | 2 | 3 {
  if (code >= 0x30 && code <= 0x39) return 1;
  if (code >= 0x41 && code <= 0x5a) return 2;
  return code >= 0x61 && code <= 0x7a ? 3 : 0;
}
