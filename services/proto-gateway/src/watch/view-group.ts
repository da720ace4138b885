import type { Permit } from '@mlango/async/fair-semaphore';
import { EventFrame } from './event.js';
import type { FanOut } from './fan-out.js';
import type { HoldBytes, Subscriber, View } from './subscription.js';
import { failureAnswer, poolFullFailure, type WatchedAnswer, writeAnswer } from './watched-answer.js';

interface SubscriberState {
  /** The last frame sent, or the client's resume point. */
  has: EventFrame | undefined;
  /** It has a resume point that is not compared yet. */
  isUnsettled: boolean;
  isSettling: boolean;
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
    this.#members.set(subscriber, { has: undefined, isUnsettled: subscriber.from !== undefined, isSettling: false });
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
    return this.#fanOut(this.#members, ([subscriber, standing]) => {
      const isThere = this.#members.get(subscriber) === standing;
      if (isThere && !standing.isUnsettled && frame === this.#frame) this.#sendAnswer(subscriber, standing);
    });
  }

  /** Sends the state to all. */
  publish(frame: EventFrame): Promise<void> {
    return this.#fanOut(this.#members.keys(), (subscriber) => {
      if (this.#members.has(subscriber)) subscriber.offer(frame);
    });
  }

  publishTo(subscriber: Subscriber): void {
    const standing = this.#members.get(subscriber);
    if (standing !== undefined) this.#sendAnswer(subscriber, standing);
  }

  /** Subscribers with a resume point that is not compared yet. */
  unresumed(): Subscriber[] {
    return [...this.#members].filter(([, { isUnsettled }]) => isUnsettled).map(([subscriber]) => subscriber);
  }

  /** False if it is being compared already. */
  beginResume(subscriber: Subscriber): boolean {
    const standing = this.#members.get(subscriber);
    if (standing === undefined || !standing.isUnsettled || standing.isSettling) return false;
    standing.isSettling = true;
    return true;
  }

  /** @param isSame the client's answer is the current one */
  endResume(subscriber: Subscriber, isSame: boolean): void {
    const standing = this.#members.get(subscriber);
    if (standing === undefined) return;
    standing.isUnsettled = false;
    if (isSame) standing.has = this.#frame;
    else this.#sendAnswer(subscriber, standing);
  }

  #sendAnswer(subscriber: Subscriber, standing: SubscriberState): void {
    if (this.#frame === undefined || standing.has === this.#frame) return;
    standing.has = this.#frame;
    subscriber.offer(this.#frame);
  }
}
