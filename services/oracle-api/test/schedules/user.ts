import type { ApprovalDecision } from '@mlango/schemas/oracle-approvals';
import type { Replica } from './replica.js';
import { pass } from './virtual-time.js';
import type { World } from './world.js';

/** A decision that was confirmed to the user; a process may be killed before its confirmation. */
export interface Settlement {
  readonly callId: string;
  readonly decision: ApprovalDecision;
  readonly atMs: number;
  readonly isConfirmed: boolean;
}

const pauses = [0, 0, 0, 5, 50, 500, 3_000, 8_000];
const callsAhead = 40;

/** The simulated user: sends, aborts and decides concurrently at both processes, while processes are killed. */
export class User {
  /** Accepted messages by request id. */
  readonly taken = new Map<string, string>();
  settlements: Settlement[] = [];
  readonly #world: World;
  /** Session of each message. */
  readonly #sent = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  async live(): Promise<void> {
    const { random } = this.#world;
    for (let turn = random.between(3, 9); turn > 0; turn--) {
      await this.#act();
      await pass(random.pick(pauses));
    }
  }

  async #act(): Promise<void> {
    const { random, sessions } = this.#world;
    const replica = await this.#world.replica();
    const session = random.pick(sessions);
    const luck = random.next();
    if (luck < 0.45) {
      for (let copies = random.pick([1, 1, 1, 2, 3]); copies > 0; copies--) {
        this.#send(await this.#world.replica(), session, `r${this.#sent.size + 1}`);
      }
    } else if (luck < 0.5 && this.#sent.size > 0) {
      const [requestId, sentTo] = random.pick([...this.#sent]);
      this.#send(replica, sentTo, requestId);
    } else if (luck < 0.58) this.#heard(`abort ${session} at ${replica.id}`, replica.abort(session));
    else if (luck < 0.63) {
      this.#world.isRefusing = !this.#world.isRefusing;
      this.#world.note(`claims can${this.#world.isRefusing ? 'not' : ''} be written`);
    } else if (luck < 0.86) await this.decide(random.pick(['allow', 'allow', 'allow', 'deny', 'always']));
    else if (luck < 0.9) {
      this.#world.note(`${replica.id} dies`);
      replica.life.end();
    } else {
      replica.life.endsIn = random.between(1, callsAhead);
      this.#world.note(`${replica.id} dies in ${replica.life.endsIn} calls`);
    }
  }

  /** Decides on a pending call, sometimes twice. False if there is none. */
  async decide(decision: ApprovalDecision): Promise<boolean> {
    const { random, owner, shared } = this.#world;
    const call = (await shared.approvals.listWaiting(owner, 20)).at(0);
    if (call === undefined) return false;
    const decisions = random.chance(0.3) ? [decision, random.pick(['allow', 'deny'] as const)] : [decision];
    for (const each of decisions) this.#settle(await this.#world.replica(), call.runId, call.toolCallId, each);
    return true;
  }

  #send(replica: Replica, session: string, requestId: string): void {
    this.#sent.set(requestId, session);
    const sent = replica.send(session, requestId).then((result) => {
      if (result.kind === 'started') this.taken.set(requestId, result.runId);
      return result.kind;
    });
    this.#heard(`send ${requestId} to ${session} at ${replica.id}`, sent);
  }

  #settle(replica: Replica, runId: string, callId: string, decision: ApprovalDecision): void {
    const unconfirmed = { callId, decision, atMs: Date.now(), isConfirmed: false };
    this.settlements.push(unconfirmed);
    const settled = replica.settle(runId, callId, { decision }).then((result) => {
      this.settlements = this.settlements.filter((other) => other !== unconfirmed);
      if (result.kind === 'settled') this.settlements.push({ ...unconfirmed, isConfirmed: true });
      return result.kind;
    });
    this.#heard(`${decision} ${callId} at ${replica.id}`, settled);
  }

  #heard(what: string, work: Promise<unknown>): void {
    this.#world.note(what);
    work.then(
      (result) => this.#world.note(`${what}: ${String(result)}`),
      (error: unknown) => this.#world.note(`${what}: ${String(error)}`),
    );
  }
}
