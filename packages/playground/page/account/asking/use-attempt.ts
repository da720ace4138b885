import { useState } from 'react';

export interface Attempt {
  /** What the last one has come to, for people. */
  readonly outcome: { readonly text: string; readonly isBad: boolean } | undefined;
  readonly isBusy: boolean;
  /** Does something, and says how it went: with the words it gives, or why it failed. */
  readonly attempt: (work: () => Promise<string>) => Promise<void>;
}

/** Something that a user has done, one at a time. */
export function useAttempt(): Attempt {
  const [outcome, setOutcome] = useState<Attempt['outcome']>();
  const [isBusy, setIsBusy] = useState(false);
  async function attempt(work: () => Promise<string>): Promise<void> {
    setIsBusy(true);
    try {
      setOutcome({ text: await work(), isBad: false });
    } catch (error) {
      setOutcome({ text: error instanceof Error ? error.message : 'It did not work.', isBad: true });
    }
    setIsBusy(false);
  }
  return { outcome, isBusy, attempt };
}
