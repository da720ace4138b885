/** The value of an arithmetic expression with + - * / and parentheses, as text; undefined for any other text. Never evaluates code. */
export function calculate(expression: string): string | undefined {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]/g) ?? [];
  if (tokens.join('') !== expression.replace(/\s+/g, '') || !tokens.some((token) => '+-*/'.includes(token)))
    return undefined;
  const reader = new TokenReader(tokens);
  const value = sum(reader, 0);
  if (value === undefined || !reader.atEnd || !Number.isFinite(value)) return undefined;
  return String(Number(value.toPrecision(12)));
}

const maxDepth = 50;

class TokenReader {
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get atEnd(): boolean {
    return this.#position === this.#tokens.length;
  }

  /** Consumes the next token if it is one of `wanted`. */
  take(wanted: string): string | undefined {
    const token = this.#tokens[this.#position];
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.#position++;
    return token;
  }

  takeNumber(): number | undefined {
    const token = this.#tokens[this.#position];
    if (token === undefined || !/^\d/.test(token)) return undefined;
    this.#position++;
    return Number(token);
  }
}

function sum(reader: TokenReader, depth: number): number | undefined {
  let left = product(reader, depth);
  while (left !== undefined) {
    const sign = reader.take('+-');
    if (sign === undefined) return left;
    const right = product(reader, depth);
    if (right === undefined) return undefined;
    left = sign === '+' ? left + right : left - right;
  }
  return undefined;
}

function product(reader: TokenReader, depth: number): number | undefined {
  let left = factor(reader, depth);
  while (left !== undefined) {
    const sign = reader.take('*/');
    if (sign === undefined) return left;
    const right = factor(reader, depth);
    if (right === undefined) return undefined;
    left = sign === '*' ? left * right : left / right;
  }
  return undefined;
}

function factor(reader: TokenReader, depth: number): number | undefined {
  if (depth > maxDepth) return undefined;
  if (reader.take('-') !== undefined) {
    const value = factor(reader, depth + 1);
    return value === undefined ? undefined : -value;
  }
  if (reader.take('(') !== undefined) {
    const value = sum(reader, depth + 1);
    return reader.take(')') === undefined ? undefined : value;
  }
  return reader.takeNumber();
}
