export interface SqlToken {
  /** `word`: a keyword or a name without quotes, in lower case. `sign`: one character. */
  readonly kind: 'word' | 'name' | 'value' | 'sign';
  readonly text: string;
}

const blank = /[ \t\n\r\f]+/y;
const forms: readonly (readonly [SqlToken['kind'], RegExp])[] = [
  ['word', /[A-Za-z_][A-Za-z0-9_]*(?!['"$A-Za-z0-9_])/y],
  ['name', /"([A-Za-z_][A-Za-z0-9_]*)"(?!")/y],
  ['value', /'(?:[^'\\]|'')*'/y],
  // What follows a number at once is a part of it in some versions of Postgres, and a word of its own in others.
  ['value', /(?:\d+(?:\.\d*)?|\$\d+)(?![$A-Za-z0-9_])/y],
  ['sign', /(?!--|\/\*|&['"])[()[\],.:=<>+\-*/%|&@!~?#^]/y],
];

/**
 * A statement as its words, names, values and signs; undefined for one that holds anything else, and so for each in which two
 * readers could see different words: comments, other quotes, escapes, letters beyond ASCII, a second statement. Pure.
 */
export function sqlTokens(sql: string): readonly SqlToken[] | undefined {
  const tokens: SqlToken[] = [];
  for (let at = 0; at < sql.length; ) {
    const space = matchAt(blank, sql, at);
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    const found = tokenAt(sql, at);
    if (found === undefined) return undefined;
    tokens.push(found.token);
    at += found.length;
  }
  return tokens;
}

function tokenAt(sql: string, at: number): { token: SqlToken; length: number } | undefined {
  for (const [kind, form] of forms) {
    const match = matchAt(form, sql, at);
    if (match === null) continue;
    const text = match[1] ?? match[0];
    return { token: { kind, text: kind === 'word' ? text.toLowerCase() : text }, length: match[0].length };
  }
  return undefined;
}

function matchAt(form: RegExp, sql: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(sql);
}
