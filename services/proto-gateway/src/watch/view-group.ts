import type { Permit } from '@mlango/async/fair-semaphore';
import { EventFrame } from './event.js';
import type { FanOut } from './fan-out.js';
import type { HoldBytes, Subscriber, View } from './subscription.js';
import { failureAnswer, poolFullFailure, type WatchedAnswer, writeAnswer } from './watched-answer.js';

interface SubscriberState {
  /** The last frame sent, or the client's resume point. */
  has: EventFrame | undefined;
  /** It has a resume point that is not compared yet. */
  awaitsResume: boolean;
  isResuming: boolean;
}

/** The subscribers of one query in one view, and their current event. */
export class ViewGroup {
  readonly #view: View;
  readonly #hold: HoldBytes;
  readonly #fanOut: FanOut;
  readonly #members = new Map<Subscriber, SubscriberState>();
  #frame: EventFrame | undefined;
  #held: Permit | undefined;

  constructor(view: View, hold: HoldBytes, fanOut: FanOut) {
    this.#view = view;
    this.#hold = hold;
    this.#fanOut = fanOut;
  }

  get frame(): EventFrame | undefined {
    return this.#frame;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  add(subscriber: Subscriber): void {
    this.#members.set(subscriber, { has: undefined, awaitsResume: subscriber.from !== undefined, isResuming: false });
  }

  remove(subscriber: Subscriber): boolean {
    return this.#members.delete(subscriber);
  }

  /** The current event has not been sent yet. */
  isBehind(subscriber: Subscriber): boolean {
    return this.#frame === undefined || this.#members.get(subscriber)?.has !== this.#frame;
  }

  /** Writes an answer as the current event. */
  write(answer: WatchedAnswer, height: number): void {
    this.clear();
    let written = writeAnswer(answer, this.#view);
    this.#held = this.#hold(written.data.length);
    if (this.#held === undefined) written = writeAnswer(failureAnswer(poolFullFailure()), this.#view);
    this.#frame = new EventFrame(written.kind, height, written.data);
  }

  clear(): void {
    this.#held?.release();
    this.#held = undefined;
    this.#frame = undefined;
  }

  /** Sends the current event to all, over several event loop turns. */
  publishAnswer(): Promise<void> {
    const frame = this.#frame;
    return this.#fanOut(this.#members, ([subscriber, state]) => {
      const isThere = this.#members.get(subscriber) === state;
      if (isThere && !state.awaitsResume && frame === this.#frame) this.#sendAnswer(subscriber, state);
    });
  }

  /** Sends the state to all. */
  publish(frame: EventFrame): Promise<void> {
    return this.#fanOut(this.#members.keys(), (subscriber) => {
      if (this.#members.has(subscriber)) subscriber.offer(frame);
    });
  }

  publishTo(subscriber: Subscriber): void {
    const state = this.#members.get(subscriber);
    if (state !== undefined) this.#sendAnswer(subscriber, state);
  }

  /** Subscribers with a resume point that is not compared yet. */
  unresumed(): Subscriber[] {
    return [...this.#members].filter(([, { awaitsResume }]) => awaitsResume).map(([subscriber]) => subscriber);
  }

  /** False if it is being compared already. */
  beginResume(subscriber: Subscriber): boolean {
    const state = this.#members.get(subscriber);
    if (state === undefined || !state.awaitsResume || state.isResuming) return false;
    state.isResuming = true;
    return true;
  }

  /** @param isSame the client's answer is the current one */
  endResume(subscriber: Subscriber, isSame: boolean): void {
    const state = this.#members.get(subscriber);
    if (state === undefined) return;
    state.awaitsResume = false;
    if (isSame) state.has = this.#frame;
    else this.#sendAnswer(subscriber, state);
  }

  #sendAnswer(subscriber: Subscriber, state: SubscriberState): void {
    if (this.#frame === undefined || state.has === this.#frame) return;
    state.has = this.#frame;
    subscriber.offer(this.#frame);
  }
}
