import type { DescMessage } from '@bufbuild/protobuf';
import type { PlainMessage } from './plain-message-fields.js';
import type { Violation } from './violation.js';

/** A rule for requests, whichever method they are of: it may change them, and say what is wrong with them. */
export interface RequestRule {
  /** Whether it has anything to say of such messages. */
  readonly concerns: (desc: DescMessage) => boolean;
  /** Told of each message that it concerns, when all of it has been read. */
  readonly apply: (message: PlainMessage, desc: DescMessage) => readonly Violation[];
}
