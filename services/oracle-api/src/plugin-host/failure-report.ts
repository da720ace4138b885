/** Is told of each failure of a plugin that was passed over. */
export type ReportFailure = (plugin: string, where: string, error: unknown) => void;

/** What `work` gives, or `instead` when it fails, which is reported. Never rejects. */
export async function passingOver<T, Instead>(
  report: (error: unknown) => void,
  instead: Instead,
  work: () => T | Promise<T>,
): Promise<T | Instead> {
  try {
    return await work();
  } catch (error) {
    report(error);
    return instead;
  }
}
