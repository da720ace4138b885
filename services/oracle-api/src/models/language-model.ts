/** One message of a conversation, as a model reads it. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface ModelRequest {
  /** Oldest first; the last one is the user's. */
  readonly messages: readonly ModelMessage[];
  /** The name under which the model speaks. */
  readonly oracleName: string;
  /** The time of the turn, so that one turn gives one answer. */
  readonly now: Date;
  /** IANA name of the user's time zone, when known. */
  readonly timezone?: string;
}

/** A piece of an answer; pieces are joined in order. */
export interface ModelPart {
  readonly type: 'text';
  readonly delta: string;
}

/**
 * Something that answers.
 *
 * Order: the parts joined are the answer; an empty answer is a failure of the model, and rejects.
 * Abort: when `signal` aborts, the iteration ends or rejects soon and lets go of what it held. Callers do not rely on
 * how soon.
 * Failure: rejects with a `ModelError`, or with anything, which counts as kind `unknown`.
 */
export interface LanguageModel {
  readonly id: string;
  /** For people, in a list of models. */
  readonly label: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}
