import type { KeyboardEvent } from 'react';

/** Enter as a command: without Shift, and not while an input method composes a letter, when it is for that. */
export function isPlainEnter({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing;
}
