import type { Bank } from './bank.js';
import type { Place } from './places.js';
import { isReplayable, type Pressed, press } from './press.js';

/** Expected reply to a hop. */
export type Expected =
  | ExpectedScreen
  /** Exactly the last reply of the session. */
  | { readonly kind: 'same'; readonly reply: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'invalid' };

export type ExpectedScreen =
  | { readonly kind: 'screen'; readonly place: Place; readonly reason?: RegExp | undefined }
  /** Another page of the same screen, which may still have the earlier line at its top. */
  | { readonly kind: 'page'; readonly place: Place; readonly heading: string };

interface Known {
  /** Every processed text, the latest last. */
  texts: string[];
  place: Place;
  /** The reply as it was served. */
  reply: string;
  /** The first line of the screen when it was first shown. */
  heading: string;
  ranAtMs: number;
}

const liveMs = 180_000;
const forgottenMs = 600_000;
const start: Place = { at: 'preMenu' };

/** The session of one subscriber: from the texts sent so far to the expected screen. */
export class SessionModel {
  #known: Known | undefined;
  readonly #phone: string;
  readonly #bank: Bank;

  constructor(phone: string, bank: Bank) {
    this.#phone = phone;
    this.#bank = bank;
  }

  /** Place of the subscriber, while the session is live. */
  placeAt(nowMs: number): Place | undefined {
    return this.#phaseAt(nowMs) === 'live' ? this.#known?.place : undefined;
  }

  /** The last processed texts. */
  get texts(): readonly string[] {
    return this.#known?.texts ?? [];
  }

  /** The gateway has lost all sessions. */
  forget(): void {
    this.#known = undefined;
  }

  /** Sends one text. Its reply is passed to `served`. */
  hop(text: string, nowMs: number): Expected {
    if (text.length > 182) return { kind: 'invalid' };
    const phase = this.#phaseAt(nowMs);
    const known = this.#known;
    const last = known?.texts.at(-1);
    const isRetry = text === last && (phase === 'live' || phase === 'ended');
    if (known !== undefined && isRetry && (text !== '' || phase === 'live'))
      return { kind: 'same', reply: known.reply };
    if (text === '') return this.#stand([''], { place: start }, nowMs);
    if (phase === 'ended' || phase === 'expired') return { kind: 'expired' };
    if (known === undefined || last === undefined || phase === 'unknown') return this.#replay(text, start, nowMs);
    if (last === '') {
      const [only = '', ...others] = inputsOf(text);
      return others.length > 0 ? this.#replay(text, known.place, nowMs) : this.#press(only, [text], nowMs);
    }
    if (known.texts.includes(text)) return { kind: 'same', reply: known.reply };
    if (text.startsWith(`${last}*`)) return this.#press(text.slice(last.length + 1), [...known.texts, text], nowMs);
    return this.#press(text, [text], nowMs);
  }

  /** Records the reply to a processed hop, which a retry has to get from then on. */
  served(expected: ExpectedScreen, reply: string): void {
    if (this.#known === undefined) return;
    this.#known.reply = reply;
    if (expected.kind === 'screen') this.#known.heading = reply.slice('CON '.length).split('\n', 1)[0] ?? '';
  }

  #phaseAt(nowMs: number): 'unknown' | 'live' | 'ended' | 'expired' {
    if (this.#known === undefined) return 'unknown';
    const isOver = this.#known.place.at === 'closed';
    const overAtMs = this.#known.ranAtMs + (isOver ? 0 : liveMs);
    if (nowMs >= overAtMs + forgottenMs) return 'unknown';
    if (isOver) return 'ended';
    return nowMs < overAtMs ? 'live' : 'expired';
  }

  #press(input: string, texts: string[], nowMs: number): Expected {
    const known = this.#known;
    if (known === undefined) throw new Error('there is no session');
    const isTurned =
      (input === '98' && /^98\. More$/m.test(known.reply)) || (input === '99' && /^99\. /m.test(known.reply));
    if (isTurned) {
      const { place, heading } = known;
      this.#stand(texts, { place }, nowMs);
      return { kind: 'page', place, heading };
    }
    return this.#stand(texts, this.#run(known.place, input, nowMs), nowMs);
  }

  /** Through menus only, up to the first screen that needs more than a key. */
  #replay(text: string, from: Place, nowMs: number): Expected {
    const inputs = inputsOf(text);
    let pressed: Pressed = { place: from };
    for (const input of inputs) {
      if (pressed.place.at === 'closed') break;
      if (!isReplayable(pressed.place, input)) {
        pressed = { place: pressed.place, reason: /was interrupted/ };
        break;
      }
      pressed = this.#run(pressed.place, input, nowMs);
    }
    const texts = inputs.slice(0, -1).map((_, index) => inputs.slice(0, index + 1).join('*'));
    return this.#stand([...texts, text], pressed, nowMs);
  }

  #run(place: Place, input: string, nowMs: number): Pressed {
    return press(place, input, { bank: this.#bank, phone: this.#phone, nowMs });
  }

  #stand(texts: string[], { place, reason }: Pressed, nowMs: number): Expected {
    const { reply = '', heading = '' } = this.#known ?? {};
    this.#known = { texts, place, reply, heading, ranAtMs: nowMs };
    return { kind: 'screen', place, reason };
  }
}

/** The inputs of a whole text; a star at its very end, after the separator, is itself an input. */
function inputsOf(text: string): string[] {
  if (text === '*') return ['*'];
  return text.endsWith('**') ? [...(text === '**' ? [] : text.slice(0, -2).split('*')), '*'] : text.split('*');
}
