import type { DescMessage } from '@bufbuild/protobuf';
import type { PlainMessage } from '../fields/plain-message-fields.js';
import type { Violation } from './violation.js';

/** A rule for requests of all methods: it may change them and report violations. */
export interface RequestRule {
  /** Whether it applies to such messages. */
  readonly concerns: (desc: DescMessage) => boolean;
  /** Called for each such message once it is complete. */
  readonly apply: (message: PlainMessage, desc: DescMessage) => readonly Violation[];
}
