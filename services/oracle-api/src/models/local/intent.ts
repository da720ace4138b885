import type { ModelRequest } from '../language-model.js';

export interface IntentInput {
  /** The last message of the user: trimmed, runs of blanks as one space, at most a few hundred characters. */
  readonly text: string;
  /** What the user said before, oldest first; long messages are cut. */
  readonly earlier: readonly string[];
  readonly request: ModelRequest;
}

/** One thing the built-in model understands. `reply` is undefined when the message means something else. */
export interface Intent {
  reply(input: IntentInput): string | undefined;
}
