import type { ClosingScreen } from '../../../engine/flow.js';

/** The farewell after `*`, from wherever it was typed. */
export const closed: ClosingScreen = { kind: 'closing', lines: ['goodbye'] };
