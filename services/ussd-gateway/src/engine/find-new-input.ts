// Compares the text of an aggregator with the texts already processed in its session: detects retries, and cuts out the new input.
// `apply-input.ts` applies that input to the screen.

import { engineKeys } from './flow.js';

/** One input of an accumulated text, with its end offset. */
export interface TypedInput {
  readonly input: string;
  /** UTF-16 units of the text up to and including this input. */
  readonly end: number;
}

const separator = '*';

/**
 * Splits an accumulated text at each `*`. The key `*`, which is the exit, may be the last input: `1**` is `1` and the exit, and a lone `*`
 * is the exit. Earlier in the text `**` contains an empty input, since no input follows an exit.
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

/** Mark of a processed text: never the text itself, which may contain a PIN. */
export interface TextMark {
  /** UTF-16 units. */
  readonly length: number;
  /** Keyed MAC of the text. */
  readonly mac: string;
}

/** Format of the text that callers send: the whole session, the last input only, or detected by comparison. */
export type TextMode = 'auto' | 'accumulated' | 'latest';

/** State of a session in the store when a hop arrives. `marks` are those of its texts, oldest first. */
export type KnownSession =
  | { readonly phase: 'none' }
  | { readonly phase: 'live'; readonly marks: readonly TextMark[] }
  | { readonly phase: 'past'; readonly marks: readonly TextMark[]; readonly ended: boolean };

/** Action for a text. `marks` are the marks to store with the session afterwards. */
export type Interpretation =
  /** Start at the main menu. */
  | { readonly kind: 'dial'; readonly marks: readonly TextMark[] }
  /** Return the stored reply and change nothing. */
  | { readonly kind: 'repeat' }
  /** Run one input on the current screen. */
  | { readonly kind: 'input'; readonly input: string; readonly marks: readonly TextMark[] }
  /** Run inputs through menus only: from the start of the flow, or on the current screen if a hop right after the dial was lost. */
  | {
      readonly kind: 'replay';
      readonly from: 'start' | 'here';
      readonly inputs: readonly TypedInput[];
      readonly marks: readonly TextMark[];
    }
  /** The session is closed and this is no retry of its last hop. */
  | { readonly kind: 'expired' };

/** Distinguishes key presses with equal text: a user may type `1` twice in a row, and an aggregator may deliver one `1` twice. */
export interface KeyPress {
  /** Whether the aggregator marks this as the start of a session. The text is then empty, or the part dialled after the code. */
  readonly dials: boolean;
  /** Set if the aggregator does not mark the start of a session: in an unknown session the input is read as this dial. */
  readonly dialIfUnknown?: { readonly serviceCode: string; readonly text: string } | undefined;
  /** Sequence number of this input within its session, if the aggregator counts inputs: an equal number is a retry. */
  readonly delivery?: string;
}

export interface PressRules {
  /** Keyed MAC of a text of this session. */
  readonly mac: (text: string) => string;
  /** Whether the user cannot have seen the reply to the previous text when this one was sent. */
  readonly isUnseen?: boolean;
}

export interface TextRules extends PressRules {
  readonly mode: TextMode;
}

/** Most texts marked for late retries. A session rarely has as many hops. */
const maxMarks = 32;

/** Compares a text with those already processed. Pure except for the MAC function. */
export function interpretText(text: string, known: KnownSession, rules: TextRules): Interpretation {
  const last = lastMark(known);
  const repeatsLast = matches(text, last, rules);
  if (text === '') {
    const repeatsDial = known.phase === 'live' && repeatsLast;
    return repeatsDial ? { kind: 'repeat' } : { kind: 'dial', marks: [mark('', rules)] };
  }
  if (known.phase === 'past') return known.ended && repeatsLast ? { kind: 'repeat' } : { kind: 'expired' };
  if (known.phase === 'none') return replay(text, 'start', rules);
  // With single inputs, an equal text is a retry or a second press of the key; the time decides.
  if (rules.mode === 'latest' && repeatsLast && rules.isUnseen === true) return { kind: 'repeat' };
  if (rules.mode === 'latest') return { kind: 'input', input: text, marks: [mark(text, rules)] };
  return compare(text, known.marks, rules);
}

/**
 * Interprets an input from an aggregator that sends inputs without the earlier ones. A numbered input is a retry if its
 * number was processed with the same text; an unnumbered one if it equals the last and the user cannot have seen the
 * last reply. Inputs of an unknown session are not replayed: the first ones are missing. Pure except for the MAC
 * function.
 */
export function interpretPress(text: string, press: KeyPress, known: KnownSession, rules: PressRules): Interpretation {
  const { dials, dialIfUnknown, delivery } = press;
  const marked = `${dials ? 'dial' : 'input'} ${delivery ?? ''}\n${text}`;
  const repeatsLast = matches(marked, lastMark(known), rules);
  if (known.phase === 'live') {
    const isRetry = delivery === undefined ? repeatsLast && rules.isUnseen : seen(marked, known.marks, rules);
    if (isRetry === true) return { kind: 'repeat' };
  }
  const inputsAfterCode = dials ? text : known.phase === 'none' ? dialIfUnknown?.text : undefined;
  if (inputsAfterCode !== undefined) {
    const marks = [mark(marked, rules)];
    // The part after the code in a shortcut dial is replayed through menus, as for any other aggregator.
    return inputsAfterCode === '' ? { kind: 'dial', marks } : { ...replay(inputsAfterCode, 'start', rules), marks };
  }
  if (known.phase === 'live') {
    const remembered = delivery === undefined ? [] : known.marks;
    return { kind: 'input', input: text, marks: [...remembered, mark(marked, rules)].slice(-maxMarks) };
  }
  return known.phase === 'past' && known.ended && repeatsLast ? { kind: 'repeat' } : { kind: 'expired' };
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

/** Right after the dial the text has all inputs: one, or more if an earlier hop was lost. */
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
