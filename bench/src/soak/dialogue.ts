import { setTimeout as sleep } from 'node:timers/promises';
import { type Door, endurancesMs } from './door.js';

/** What a subscriber types at each screen. The first that fits counts. */
export interface Dialogue {
  readonly phone: string;
  readonly code: string;
  readonly types: readonly (readonly [screen: RegExp, input: string])[];
  /** The screen by which they know that it is done. */
  readonly done: RegExp;
  /** Screens that they must never see. */
  readonly never: RegExp;
}

const unavailable = 'END Service temporarily unavailable. Please try again later.';
const working = /We are working on it|Please confirm on your phone/;
/** A text has 182 characters at most: who has asked for long what became of it dials anew. */
const longestText = 150;

/** What it came to: the screen that was waited for, or why there is none. */
export type Told = { readonly screen: string } | { readonly wrong: string };

/** Dials and types until it is done. Who gets no answer, or is told to try again, sends the same again, to the other replica. */
export async function hold(dialogue: Dialogue, door: Door, newSessionId: () => string): Promise<Told> {
  const call = new Call(dialogue, door, newSessionId);
  const beganMs = performance.now();
  while (performance.now() - beganMs < endurancesMs) {
    const reply = await call.served();
    const told = reply === undefined ? undefined : await call.goOn(reply);
    if (told !== undefined) return told;
  }
  return { wrong: `was never told, in ${endurancesMs / 1000} s` };
}

/** A phone in a dialogue. */
class Call {
  readonly #dialogue: Dialogue;
  readonly #door: Door;
  readonly #newSessionId: () => string;
  #sessionId: string;
  #text = '';
  #attempt = 1;
  /** Since when nothing was answered. */
  #unservedMs: number | undefined;

  constructor(dialogue: Dialogue, door: Door, newSessionId: () => string) {
    this.#dialogue = dialogue;
    this.#door = door;
    this.#newSessionId = newSessionId;
    this.#sessionId = newSessionId();
  }

  /** A screen for what was typed last; undefined where there was none, and it has to be sent again. */
  async served(): Promise<string | undefined> {
    const { phone: phoneNumber, code: serviceCode } = this.#dialogue;
    const answer = await this.#door.ask('/api/ussd', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId: this.#sessionId, phoneNumber, serviceCode, text: this.#text }),
    });
    if (answer?.status === 200 && answer.body !== unavailable) {
      if (this.#unservedMs !== undefined) this.#door.tally.waited('ussd hop', performance.now() - this.#unservedMs);
      this.#unservedMs = undefined;
      this.#attempt = 1;
      return answer.body;
    }
    if (answer !== undefined) {
      this.#door.refused(answer.status === 200 ? 'END temporarily unavailable' : `${answer.status}`);
      this.#door.turnToOther();
    }
    this.#unservedMs ??= performance.now();
    await this.#door.pause(this.#attempt++);
    return undefined;
  }

  /** Types what a screen asks for; resolves with the end, if it is one. */
  async goOn(screen: string): Promise<Told | undefined> {
    const { never, done, types } = this.#dialogue;
    if (never.test(screen)) return { wrong: `was shown: ${screen}` };
    if (done.test(screen)) return { screen };
    if (screen.startsWith('END ')) {
      this.#door.refused(screen.split('\n', 1)[0] ?? '');
      this.#dialAnew();
      return undefined;
    }
    const isWorking = working.test(screen);
    if (isWorking) await sleep(700);
    const input = isWorking ? '1' : types.find(([asked]) => asked.test(screen))?.[1];
    if (input === undefined) return { wrong: `nobody expected: ${screen}` };
    if (this.#text.length + input.length > longestText) this.#dialAnew();
    else this.#text = this.#text === '' ? input : `${this.#text}*${input}`;
    return undefined;
  }

  #dialAnew(): void {
    this.#sessionId = this.#newSessionId();
    this.#text = '';
  }
}
