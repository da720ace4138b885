import type { Dialogue } from './dialogue.js';
import { judge } from './judge.js';
import { type Answered, type OracleAddress, openSession, sendMessage } from './oracle-client.js';

/** An expectation, and the reason if it does not hold. */
export interface Judged {
  readonly line: number;
  readonly words: string;
  readonly problem?: string;
}

export interface HeldTurn {
  readonly line: number;
  readonly message: string;
  /** Absent if the oracle did not answer; `problem` has the reason. */
  readonly answer?: Answered;
  readonly judged: readonly Judged[];
}

/** Result of a dialogue. */
export interface Held {
  readonly file: string;
  readonly title: string;
  readonly isGood: boolean;
  readonly turns: readonly HeldTurn[];
}

/** Runs a dialogue in a separate session, to its end or to a message without an answer. Never rejects. */
export async function holdDialogue(oracle: OracleAddress, file: string, { title, turns }: Dialogue): Promise<Held> {
  const held: HeldTurn[] = [];
  let sessionId: string | undefined;
  for (const { line, message, expectations } of turns) {
    try {
      sessionId ??= await openSession(oracle);
      const answer = await sendMessage(oracle, sessionId, message);
      const ended = { line, words: 'an answer', ...problemOf(endOf(answer)) };
      const judged = expectations.map(({ expected, ...written }) => ({
        line: written.line,
        words: written.words,
        ...problemOf(judge(expected, answer)),
      }));
      held.push({ line, message, answer, judged: [ended, ...judged] });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      held.push({ line, message, judged: [{ line, words: 'an answer', problem }] });
      break;
    }
  }
  const isGood = held.every(({ judged }) => judged.every(({ problem }) => problem === undefined));
  return { file, title, isGood, turns: held };
}

const problemOf = (problem: string | undefined) => (problem === undefined ? {} : { problem });

function endOf({ status, error }: Answered): string | undefined {
  return status === 'finished' ? undefined : `the turn ended as ${status}${error === undefined ? '' : `: ${error}`}`;
}
