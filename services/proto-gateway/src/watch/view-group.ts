import type { Permit } from '@mlango/service-kit/async';
import { EventFrame } from './event-frame.js';
import type { TellEach } from './tell-in-turns.js';
import { noRoom, type Told, toldFailure, writeTold } from './told-answer.js';
import type { HoldBytes, Member, View } from './watched-query.js';

interface Standing {
  /** What it was told last, or has already. */
  has: EventFrame | undefined;
  /** It comes with an answer of its own, which is not compared yet. */
  isUnsettled: boolean;
  isSettling: boolean;
}

/** Those who watch one query in one view, and the event they all know, or are being told. */
export class ViewGroup {
  readonly #view: View;
  readonly #hold: HoldBytes;
  readonly #tellEach: TellEach;
  readonly #members = new Map<Member, Standing>();
  #frame: EventFrame | undefined;
  #held: Permit | undefined;

  constructor(view: View, hold: HoldBytes, tellEach: TellEach) {
    this.#view = view;
    this.#hold = hold;
    this.#tellEach = tellEach;
  }

  get frame(): EventFrame | undefined {
    return this.#frame;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  add(member: Member): void {
    this.#members.set(member, { has: undefined, isUnsettled: member.from !== undefined, isSettling: false });
  }

  remove(member: Member): boolean {
    return this.#members.delete(member);
  }

  /** It was not told yet what there is to tell. */
  isOwed(member: Member): boolean {
    return this.#frame === undefined || this.#members.get(member)?.has !== this.#frame;
  }

  /** Writes an answer down, for whoever is told of it later. */
  write(told: Told, height: number): void {
    this.clear();
    let written = writeTold(told, this.#view);
    this.#held = this.#hold(written.data.length);
    if (this.#held === undefined) written = writeTold(toldFailure(noRoom()), this.#view);
    this.#frame = new EventFrame(written.kind, height, written.data);
  }

  clear(): void {
    this.#held?.release();
    this.#held = undefined;
    this.#frame = undefined;
  }

  /** Tells everybody, over several turns of the event loop, what has been written last. */
  tellAnswer(): Promise<void> {
    const frame = this.#frame;
    return this.#tellEach(this.#members, ([member, standing]) => {
      const isThere = this.#members.get(member) === standing;
      if (isThere && !standing.isUnsettled && frame === this.#frame) this.#tell(member, standing);
    });
  }

  /** Tells everybody how the watch stands. */
  tell(frame: EventFrame): Promise<void> {
    return this.#tellEach(this.#members.keys(), (member) => {
      if (this.#members.has(member)) member.offer(frame);
    });
  }

  tellOne(member: Member): void {
    const standing = this.#members.get(member);
    if (standing !== undefined) this.#tell(member, standing);
  }

  /** Those whose own answer is not compared yet. */
  unsettled(): Member[] {
    return [...this.#members].filter(([, { isUnsettled }]) => isUnsettled).map(([member]) => member);
  }

  /** False where it is being compared already. */
  beginSettling(member: Member): boolean {
    const standing = this.#members.get(member);
    if (standing === undefined || !standing.isUnsettled || standing.isSettling) return false;
    standing.isSettling = true;
    return true;
  }

  /** @param isSame what the member came with is what there is now */
  endSettling(member: Member, isSame: boolean): void {
    const standing = this.#members.get(member);
    if (standing === undefined) return;
    standing.isUnsettled = false;
    if (isSame) standing.has = this.#frame;
    else this.#tell(member, standing);
  }

  #tell(member: Member, standing: Standing): void {
    if (this.#frame === undefined || standing.has === this.#frame) return;
    standing.has = this.#frame;
    member.offer(this.#frame);
  }
}
