/** The fields of a zod issue that its text depends on. */
export interface SchemaIssue {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly expected?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly divisor?: unknown;
  readonly format?: unknown;
  readonly keys?: readonly string[] | undefined;
  /** Allowed values of an enum or a literal. */
  readonly values?: readonly unknown[] | undefined;
  /** Allowed values of the discriminator of a union. */
  readonly options?: readonly unknown[] | undefined;
  /** Issues of a record's key. */
  readonly issues?: readonly SchemaIssue[] | undefined;
}

const OF_LIBRARY = /^(?:Invalid|Too small|Too big|Unrecognized key)/;

const KINDS: Readonly<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  int: 'must be a whole number',
  number: 'must be a number',
  object: 'must be an object',
  record: 'must be an object',
  string: 'must be a text',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be a time such as 2027-01-01T00:00:00Z',
  date: 'must be a day such as 2027-01-01',
  email: 'must be an e-mail address',
  url: 'must be a URL',
  uuid: 'must be a UUID',
};

const OTHER_KIND = 'has a value of another kind than it may have';

/** Describes the problem of a value. Messages of the schema's author pass; those of zod are replaced. */
export function issueText(issue: SchemaIssue): string {
  const { message = 'is invalid' } = issue;
  return OF_LIBRARY.test(message) ? ownText(issue, message) : message;
}

/**
 * Describes the first problem that a schema found: the path of the value with dots, and the problem.
 *
 * @param whole name of the value as a whole; without it the text alone
 */
export function firstProblem(
  { issues: [issue] }: { readonly issues: readonly (SchemaIssue & { readonly path: readonly PropertyKey[] })[] },
  whole = '',
): string {
  const text = issueText(issue ?? {});
  const path = issue?.path.map(String).join('.') || whole;
  return path === '' ? text : `${path}: ${text}`;
}

function ownText(issue: SchemaIssue, message: string): string {
  const { minimum, maximum, keys = [], values, options, issues: [inner] = [] } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (message.endsWith('received undefined')) return 'is missing';
      return KINDS[String(issue.expected)] ?? OTHER_KIND;
    case 'too_small':
      if (minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int') return 'must not be empty';
      return `must ${sized(issue)} at least ${String(minimum)}${unitOf(issue)}`;
    case 'too_big':
      return `must ${sized(issue)} at most ${String(maximum)}${unitOf(issue)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${keys.join(', ')}`;
    case 'invalid_value':
      return oneOf(values);
    case 'invalid_union':
      return options === undefined ? OTHER_KIND : oneOf(options);
    case 'invalid_key':
      return inner === undefined ? 'has a name that it cannot have' : `has a name that ${issueText(inner)}`;
    case 'invalid_format':
      return FORMATS[String(issue.format)] ?? 'is not written as it has to be';
    default:
      return 'is invalid';
  }
}

function oneOf(values: readonly unknown[] = []): string {
  return values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(', ')}`;
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items', set: ' items' };

function unitOf({ origin }: SchemaIssue): string {
  return UNITS[String(origin)] ?? '';
}

function sized(issue: SchemaIssue): string {
  return unitOf(issue) === '' ? 'be' : 'have';
}
