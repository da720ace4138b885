/** Lets those who have much to do at once go on one at a time, and everybody else in between. */
export function takeTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}
