import { readList } from '../connectors/lists.js';
import { printable } from '../connectors/run-query.js';
import { applyInput, enter, land, type StepContext } from '../engine/apply-input.js';
import { applyOutcome, type EffectStart } from '../engine/apply-outcome.js';
import type { Lists } from '../engine/declarations.js';
import type { EffectUse, Facts, Flow, Operation } from '../engine/flow.js';
import { type EffectOutcome, type Position, startOf } from '../engine/position.js';
import { goesOut, listOfResult } from '../engine/screen-options.js';
import { show } from '../engine/show.js';
import { fillText, messagesOf } from '../engine/texts.js';
import type { Answer, Shown } from './transcript.js';

/** The time of a transcript that sets none: a Monday at noon in UTC. */
const playedAtMs = Date.parse('2026-01-05T12:00:00Z');

/** A part of a transcript that cannot be played. */
export class UnplayableError extends Error {
  override readonly name: string = 'UnplayableError';
}

/** The transcript has no answer for an operation. */
export class UnansweredError extends UnplayableError {
  override readonly name = 'UnansweredError';
  readonly operationName: string;
  readonly operation: Operation;

  constructor(operationName: string, operation: Operation) {
    super(
      `"${operationName}" needs an answer before the screen: ! ${operationName} → one of ${resultsOf(operation).join(', ')}`,
    );
    this.operationName = operationName;
    this.operation = operation;
  }
}

/** The possible results of an operation. */
export function resultsOf({ kind, results }: Operation): readonly string[] {
  return [...(kind === 'act' ? ['pending'] : []), ...Object.keys(results)];
}

/** A phone on the engine, without a gateway: the transcript answers for all back ends. */
export class EngineHandset {
  readonly #flow: Flow;
  readonly #facts: Facts;
  #position: Position;
  #held: string | undefined;
  #isOver = true;
  /** The act without an outcome so far. */
  #pendingAct: { readonly use: EffectUse; readonly requestedAt: EffectStart } | undefined;
  #answers: Answer[] = [];
  #sms: string | undefined;
  #nowMs = playedAtMs;

  constructor(flow: Flow, facts: Facts) {
    this.#flow = flow;
    this.#facts = facts;
    this.#position = startOf(flow);
  }

  /** Sets the clock, which stands still. */
  setTime(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  /** @throws {UnplayableError} as `type` does. */
  dial(answers: readonly Answer[]): Shown {
    return this.#hop(answers, () => this.#pollEffect(false) ?? this.#first());
  }

  /** @throws {UnplayableError} for a missing or surplus answer, or an answer that the operation does not have. */
  type(input: string, answers: readonly Answer[]): Shown {
    if (this.#isOver) throw new UnplayableError('the session has ended: only a dial comes after it');
    return this.#hop(answers, () => this.#take(input));
  }

  #hop(answers: readonly Answer[], move: () => Position): Shown {
    this.#answers = [...answers];
    this.#sms = undefined;
    this.#position = move();
    const [surplus] = this.#answers;
    if (surplus !== undefined) throw new UnplayableError(`"${surplus.operation}" is not requested here`);
    const { message, closes } = show(this.#flow, this.#position, this.#facts);
    this.#isOver = closes;
    return { message, closes, ...(this.#sms !== undefined && { sms: this.#sms }) };
  }

  #take(input: string): Position {
    const taken = applyInput(this.#flow, this.#position, input, this.#context());
    this.#held = taken.kind === 'moved' ? taken.secret : undefined;
    if (taken.kind === 'moved') return taken.position;
    if (taken.kind === 'polls') return this.#pollEffect(true) ?? this.#first();
    const requestedAt = { position: taken.position, by: taken.by };
    const operation = this.#operationOf(taken.use);
    if (operation.kind === 'act') {
      this.#pendingAct = { use: taken.use, requestedAt };
      return this.#pollEffect(true) ?? this.#first();
    }
    const outcome = this.#outcomeOf(taken.use, operation);
    const landing = taken.use.results[outcome?.result ?? ''];
    if (outcome === undefined || landing === undefined)
      throw new UnplayableError(`"${taken.use.effect}" is never pending`);
    return land(this.#flow, taken.position, landing, this.#context(), outcome);
  }

  #context(): StepContext {
    return { facts: this.#facts, secret: this.#held, arrivedAtMs: this.#nowMs };
  }

  #first(): Position {
    return startOf(this.#flow, this.#position.language);
  }

  /** The next position by the pending act, in the session that started it or in a later one. */
  #pollEffect(isOwn: boolean): Position | undefined {
    const { use, requestedAt } = this.#pendingAct ?? {};
    if (use === undefined || requestedAt === undefined) return undefined;
    const outcome = this.#outcomeOf(use, this.#operationOf(use));
    const { working, start } = this.#flow;
    if (outcome === undefined) {
      return { ...enter(this.#flow, this.#position, working ?? start), underWay: use.effect };
    }
    this.#pendingAct = undefined;
    this.#sms = this.#sent(use, requestedAt.position, outcome);
    return applyOutcome(this.#flow, requestedAt, outcome, this.#context(), isOwn);
  }

  /** The SMS of an outcome, as `runMessages` sends it. */
  #sent(use: EffectUse, { language, entries }: Position, { result, facts }: EffectOutcome): string | undefined {
    const message = messagesOf(this.#flow, use, language, this.#facts)?.[result];
    return message && fillText(message.text, { ...entries, ...message.facts, ...facts }, message.operation);
  }

  #operationOf({ effect }: EffectUse): Operation {
    const operation = this.#flow.operations?.[effect];
    if (operation === undefined) throw new UnplayableError(`"${effect}" is no operation of this flow`);
    return operation;
  }

  /** Undefined while the outcome is pending. */
  #outcomeOf(use: EffectUse, operation: Operation): EffectOutcome | undefined {
    const can = resultsOf(operation);
    const answer = this.#answers.shift();
    if (answer?.operation !== use.effect) throw new UnansweredError(use.effect, operation);
    if (!can.includes(answer.result))
      throw new UnplayableError(`the result of "${use.effect}" is one of ${can.join(', ')}`);
    if (answer.result === 'pending' && operation.kind === 'act') return undefined;
    const declared = operation.results[answer.result] ?? {};
    const unknown = Object.keys(answer.facts).find((name) => !Object.hasOwn(declared, name));
    if (unknown !== undefined) {
      const known = Object.keys(declared).join(', ') || 'none';
      throw new UnplayableError(`"${use.effect}" as "${answer.result}" has no fact "${unknown}", only ${known}`);
    }
    const facts = Object.entries(declared).map(([name, longest]) => {
      const value = answer.facts[name] ?? '-';
      return [name, goesOut(operation) ? printable(value, Math.max(...longest.map((one) => [...one].length))) : value];
    });
    // Operations of the gateway that lead to a screen behind the log-in log in.
    const account = goesOut(operation) ? undefined : '-';
    const lists = this.#listsOf(use.effect, operation, answer);
    return {
      result: answer.result,
      facts: Object.fromEntries(facts),
      account,
      language: use.with?.['language'],
      ...(lists && { lists }),
    };
  }

  /** The list of an answer, parsed as from a back end. */
  #listsOf(name: string, operation: Operation, { result, lists = {} }: Answer): Lists | undefined {
    const list = listOfResult(operation, result);
    const unknown = Object.keys(lists).find((one) => one !== list?.name);
    if (unknown !== undefined) throw new UnplayableError(`"${name}" as "${result}" gives no list "${unknown}"`);
    if (list === undefined) return undefined;
    const form = `! ${list.name}[1]${Object.keys(list.fields)
      .map((field) => ` ${field}=…`)
      .join('')}`;
    const sent = lists[list.name];
    if (sent === undefined)
      throw new UnplayableError(`"${name}" as "${result}" gives a list: write its items below, ${form}`);
    const read = readList(sent, list);
    if ('why' in read) throw new UnplayableError(`"${name}" ${read.why}: items are written ${form}`);
    return { [list.name]: read.items };
  }
}
