/** What closes that which was opened, in the order in which it was. */
export type Closers = (() => Promise<void>)[];

/** Closes the last first. What is closed is closed once. */
export async function closeAll(closers: Closers): Promise<void> {
  for (const closer of closers.splice(0).reverse()) await closer();
}
