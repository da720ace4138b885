import { type Interpretation, interpretText, type KnownSession, type TextMark } from '../engine/interpret-text.js';
import type { KeyPress } from './hop.js';

export interface PressRules {
  /** Keyed MAC of a text of this session. */
  readonly mac: (text: string) => string;
  /** Whether the user cannot have seen the reply to the last hop when this one was sent. */
  readonly isUnseen: boolean;
}

/** So many numbered inputs are remembered for late retries. */
const maxMarks = 32;

/**
 * What an input asks for that a gateway sends alone, without those before it. A numbered one is a retry when its number
 * was seen with the same text; one without a number when it equals the last and the user cannot have seen the reply to that. Inputs of a
 * session that is not known are not replayed: the first of them are missing. Pure but for the MAC it is given.
 */
export function interpretPress(text: string, press: KeyPress, known: KnownSession, rules: PressRules): Interpretation {
  const marks = known.phase === 'none' ? [] : known.marks;
  const mark = markOf(text, press, rules.mac);
  if (known.phase === 'live' && isRetry(mark, marks, press, rules)) return { kind: 'repeat' };
  if (press.dials) return dial(text, mark, rules);
  if (press.mayDial === true && known.phase === 'none') return dial('', mark, rules);
  if (known.phase === 'live') {
    const remembered = press.delivery === undefined ? [] : marks;
    return { kind: 'input', input: text, marks: [...remembered, mark].slice(-maxMarks) };
  }
  const repeatsEnd = known.phase === 'gone' && known.ended && equals(mark, marks.at(-1));
  return repeatsEnd ? { kind: 'repeat' } : { kind: 'expired' };
}

function isRetry(mark: TextMark, marks: readonly TextMark[], press: KeyPress, rules: PressRules): boolean {
  if (press.delivery !== undefined) return marks.some((known) => equals(mark, known));
  return equals(mark, marks.at(-1)) && rules.isUnseen;
}

/** What follows the code in a shortcut dial is replayed through menus, as for any other gateway. */
function dial(text: string, mark: TextMark, rules: PressRules): Interpretation {
  const asked = interpretText(text, { phase: 'none' }, { mode: 'latest', mac: rules.mac });
  return asked.kind === 'dial' || asked.kind === 'replay' ? { ...asked, marks: [mark] } : asked;
}

function markOf(text: string, press: KeyPress, mac: (text: string) => string): TextMark {
  const marked = `${press.dials ? 'dial' : 'input'} ${press.delivery ?? ''}\n${text}`;
  return { length: marked.length, mac: mac(marked) };
}

function equals(mark: TextMark, known: TextMark | undefined): boolean {
  return known !== undefined && mark.length === known.length && mark.mac === known.mac;
}
