import { engineKeys } from './flow.js';

/** One input taken from accumulated text, and how long the text was once it had been typed. */
export interface TypedInput {
  readonly input: string;
  /** UTF-16 units of the text up to and with this input. */
  readonly end: number;
}

const separator = '*';

/**
 * The inputs of a whole accumulated text, in order. The separator may itself be the last input: `1**` is `1`, then `*`,
 * and a lone `*` is that input. Elsewhere two separators in a row are an empty input, since nothing follows an exit.
 */
export function splitText(text: string): TypedInput[] {
  if (text === '') return [];
  const exits = text === separator || text.endsWith(separator + separator);
  const head = exits ? text.slice(0, text === separator ? 0 : -2) : text;
  const inputs: TypedInput[] = [];
  if (head !== '' || !exits) {
    let end = -1;
    for (const input of head.split(separator)) {
      end += 1 + input.length;
      inputs.push({ input, end });
    }
  }
  if (exits) inputs.push({ input: engineKeys.exit, end: text.length });
  return inputs;
}

const isDigit = (code: number) => /^\p{Decimal_Number}$/u.test(String.fromCodePoint(code));

/**
 * Replaces the decimal digits of every script by 0 to 9; leaves everything else as it is.
 * Unicode encodes each set of decimal digits as ten code points in a row, from zero up (Unicode Standard, section 4.6).
 */
export function asciiDigits(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return text.replaceAll(/\p{Decimal_Number}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (isDigit(zero - 1)) zero -= 1;
    return String((code - zero) % 10);
  });
}

/** What is remembered of a text that was processed: never the text, which may hold a PIN. */
export interface TextMark {
  /** UTF-16 units. */
  readonly length: number;
  /** Keyed MAC of the text. */
  readonly mac: string;
}

/** How callers send text: the whole session's, the last input's alone, or either, told apart by comparing. */
export type TextMode = 'auto' | 'accumulated' | 'latest';

/** What the store knows about a session when a hop arrives. `marks` are those of its texts, oldest first. */
export type KnownSession =
  | { readonly phase: 'none' }
  | { readonly phase: 'live'; readonly marks: readonly TextMark[] }
  | { readonly phase: 'gone'; readonly marks: readonly TextMark[]; readonly ended: boolean };

/** What a text asks for. `marks` are what the session remembers once it is done. */
export type Interpretation =
  /** Start at the main menu. */
  | { readonly kind: 'dial'; readonly marks: readonly TextMark[] }
  /** Answer with the stored reply and change nothing. */
  | { readonly kind: 'repeat' }
  /** Run one input on the current screen. */
  | { readonly kind: 'input'; readonly input: string; readonly marks: readonly TextMark[] }
  /** Run inputs, through menus only: from the start of the flow, or on the current screen where a hop was lost. */
  | {
      readonly kind: 'replay';
      readonly from: 'start' | 'here';
      readonly inputs: readonly TypedInput[];
      readonly marks: readonly TextMark[];
    }
  /** The session is over and this is no retry of its last hop. */
  | { readonly kind: 'expired' };

/**
 * What tells one press of a key from another where the text cannot: a user may type `1` twice in a row, and a gateway
 * may deliver one `1` twice.
 */
export interface KeyPress {
  /** Whether the gateway says that this begins a session. The text is then empty, or what was dialled beyond the code. */
  readonly dials: boolean;
  /** Given where the gateway does not say what begins a session: what the input dials if its session is unknown. */
  readonly mayDial?: { readonly serviceCode: string; readonly text: string } | undefined;
  /** The gateway's own number of this input within its session, if it counts them: the same again is a retry. */
  readonly delivery?: string;
}

export interface PressRules {
  /** Keyed MAC of a text of this session. */
  readonly mac: (text: string) => string;
  /** Whether the user cannot have seen the reply to the last text when this one was sent. */
  readonly isUnseen?: boolean;
}

export interface TextRules extends PressRules {
  readonly mode: TextMode;
}

/** So many texts are remembered for late retries. A session rarely has as many hops. */
const maxMarks = 32;

/** Compares a text with those already processed. Pure but for the MAC it is given. */
export function interpretText(text: string, known: KnownSession, rules: TextRules): Interpretation {
  const last = lastMark(known);
  const repeatsLast = matches(text, last, rules);
  if (text === '') {
    const repeatsDial = known.phase === 'live' && repeatsLast;
    return repeatsDial ? { kind: 'repeat' } : { kind: 'dial', marks: [mark('', rules)] };
  }
  if (known.phase === 'gone') return known.ended && repeatsLast ? { kind: 'repeat' } : { kind: 'expired' };
  if (known.phase === 'none') return replay(text, 'start', rules);
  // Where inputs come alone, the same again is a retry or the same key pressed twice: time tells.
  if (rules.mode === 'latest' && repeatsLast && rules.isUnseen === true) return { kind: 'repeat' };
  if (rules.mode === 'latest') return { kind: 'input', input: text, marks: [mark(text, rules)] };
  return compare(text, known.marks, rules);
}

/**
 * What an input asks for that a gateway sends alone, without those before it. A numbered one is a retry when its number
 * was seen with the same text; one without a number when it equals the last and the user cannot have seen the reply to that. Inputs of a
 * session that is not known are not replayed: the first of them are missing. Pure but for the MAC it is given.
 */
export function interpretPress(text: string, press: KeyPress, known: KnownSession, rules: PressRules): Interpretation {
  const { dials, mayDial, delivery } = press;
  const marked = `${dials ? 'dial' : 'input'} ${delivery ?? ''}\n${text}`;
  const repeatsLast = matches(marked, lastMark(known), rules);
  if (known.phase === 'live') {
    const isRetry = delivery === undefined ? repeatsLast && rules.isUnseen : seen(marked, known.marks, rules);
    if (isRetry === true) return { kind: 'repeat' };
  }
  const shortcut = dials ? text : known.phase === 'none' ? mayDial?.text : undefined;
  if (shortcut !== undefined) {
    const marks = [mark(marked, rules)];
    // What follows the code in a shortcut dial is replayed through menus, as for any other gateway.
    return shortcut === '' ? { kind: 'dial', marks } : { ...replay(shortcut, 'start', rules), marks };
  }
  if (known.phase === 'live') {
    const remembered = delivery === undefined ? [] : known.marks;
    return { kind: 'input', input: text, marks: [...remembered, mark(marked, rules)].slice(-maxMarks) };
  }
  return known.phase === 'gone' && known.ended && repeatsLast ? { kind: 'repeat' } : { kind: 'expired' };
}

function compare(text: string, marks: readonly TextMark[], rules: TextRules): Interpretation {
  const last = marks.at(-1);
  if (last === undefined || last.length === 0) return readFirst(text, rules);
  if (seen(text, marks, rules)) return { kind: 'repeat' };
  if (text.length > last.length && text[last.length] === '*' && matches(text.slice(0, last.length), last, rules)) {
    const input = text.slice(last.length + 1);
    return { kind: 'input', input, marks: [...marks, mark(text, rules)].slice(-maxMarks) };
  }
  if (rules.mode === 'accumulated') return replay(text, 'start', rules);
  return { kind: 'input', input: text, marks: [mark(text, rules)] };
}

/** Right after the dial the text holds all there is: one input, or more where a hop before this one was lost. */
function readFirst(text: string, rules: TextRules): Interpretation {
  const whole = replay(text, 'here', rules);
  const [only, ...others] = whole.inputs;
  if (only === undefined || others.length > 0) return whole;
  return { kind: 'input', input: only.input, marks: whole.marks };
}

function replay(text: string, from: 'start' | 'here', rules: PressRules): Extract<Interpretation, { kind: 'replay' }> {
  const inputs = splitText(text);
  const marks = inputs.map(({ end }) => mark(text.slice(0, end), rules)).slice(-maxMarks);
  return { kind: 'replay', from, inputs, marks };
}

function lastMark(known: KnownSession): TextMark | undefined {
  return known.phase === 'none' ? undefined : known.marks.at(-1);
}

function mark(text: string, rules: PressRules): TextMark {
  return { length: text.length, mac: rules.mac(text) };
}

function seen(text: string, marks: readonly TextMark[], rules: PressRules): boolean {
  return marks.some((known) => matches(text, known, rules));
}

function matches(text: string, known: TextMark | undefined, rules: PressRules): boolean {
  return known !== undefined && text.length === known.length && rules.mac(text) === known.mac;
}
