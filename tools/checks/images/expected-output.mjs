/**
 * Whether commands printed what a README shows. `…` stands for any text, with the blanks around it.
 * @param {string} shown
 * @param {string} printed
 */
export function printedAsShown(shown, printed) {
  const parts = shown.trim().split(/\s*…\s*/);
  const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[^]*');
  return new RegExp(`^${pattern}$`).test(printed.trim());
}
