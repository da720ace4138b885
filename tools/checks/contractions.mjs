// What statements of SQL take away from programs that were written before them.

/**
 * @typedef {{
 *   statement: string,
 *   takes: string,
 *   table: string | undefined,
 *   note: string | undefined,
 * }} Contraction - `table` where it takes from one; `note` what its comment says of since when nobody uses that
 */

const NAME = String.raw`((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)`;
const ALTER = `^alter table (?:if exists )?(?:only )?${NAME} (?:.*, ?)?`;
/** @type {readonly (readonly [takes: string, pattern: RegExp])[]} */
const RULES = [
  ['drops a table', new RegExp(`^drop table (?:if exists )?${NAME}`)],
  [
    'drops a view, a type, a function or a schema',
    /^drop (?:materialized view|view|type|function|schema|sequence|domain) /,
  ],
  ['drops a column', new RegExp(`${ALTER}drop (?!constraint )`)],
  [
    'renames',
    new RegExp(
      `^alter (?:table|view|type|function|sequence|schema|index) (?:if exists )?(?:only )?${NAME} (?:.* )?rename `,
    ),
  ],
  [
    'adds a column that must be filled',
    new RegExp(`${ALTER}add (?:column )?(?!constraint )(?!.*(?:default|generated) ).*not null`),
  ],
  ['has a column filled always', new RegExp(`${ALTER}alter (?:column )?\\S+ set not null`)],
  ['changes a type', new RegExp(`${ALTER}alter (?:column )?\\S+ (?:set data )?type `)],
  ['takes a default', new RegExp(`${ALTER}alter (?:column )?\\S+ drop default`)],
  ['refuses rows that were taken', new RegExp(`${ALTER}add constraint `)],
  ['refuses rows that were taken', new RegExp(`^create unique index .*? on (?:only )?${NAME}`)],
  ['deletes rows', new RegExp(`^(?:truncate(?: table)?|delete from) (?:only )?${NAME}`)],
];

/**
 * @param {string} sql - statements of a migration, with breakpoints between or not
 * @returns {Contraction[]}
 */
export function contractionsOf(sql) {
  return statementsOf(sql).flatMap(({ text, note }) => {
    for (const [takes, pattern] of RULES) {
      const found = pattern.exec(text);
      if (found === null) continue;
      const statement = text.length > 100 ? `${text.slice(0, 100)}…` : text;
      return [{ statement, takes, table: found[1], note }];
    }
    return [];
  });
}

/**
 * @param {string} sql
 * @returns {string[]} names of tables, folded
 */
export function createdTables(sql) {
  return statementsOf(sql).flatMap(({ text }) => {
    const [, name] = new RegExp(`^create (?:unlogged )?table (?:if not exists )?${NAME}`).exec(text) ?? [];
    return name === undefined ? [] : [foldName(name)];
  });
}

/**
 * One spelling of a name, without its schema.
 * @param {string} name
 */
export function foldName(name) {
  return name.replace(/^.*\./, '').replaceAll('"', '');
}

/**
 * Statements in small letters on one line each, without comments and bodies of functions.
 * @param {string} sql
 */
function statementsOf(sql) {
  const withoutBodies = sql.replace(/(\$\w*\$)[\s\S]*?\1/g, "''").replace(/'(?:[^']|'')*'/g, "''");
  return withoutBodies.split(';').map((part) => ({
    text: part
      .replace(/--.*$/gm, ' ')
      .replace(/\/\*[\s\S]*?\*\//g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase(),
    note: /^\s*-- unused since (.*)$/m.exec(part)?.[1]?.trim(),
  }));
}
