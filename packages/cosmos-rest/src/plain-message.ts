const MAX_LENGTH = 1000;
/** Maximum input: error texts of nodes contain client input. */
const READ_LENGTH = 4096;

/** Places in a node's source, as Go errors and the SDK print them: `[cosmos/baseapp/abci.go:123]`, `/go/x.go:1`. */
const SOURCE_PLACE = /(?<!\s)\s*\[?(?<![\w@./-])[\w@./-]*\.go:[0-9]+(?: \+0x[0-9a-f]+)?\]?/g;
/** A possible address with a port: a name or numbers with dots, or bracketed IPv6. */
const HOST_AND_PORT = /(?:\[[0-9a-fA-F:]+\]|(?<![\w.-])[\w.-]+):[0-9]{2,5}\b/g;
const HOST = /^\[|^localhost:|[\w-]\.[\w-]/i;
const PART_OF_ADDRESS = /[\w.:[\]-]/;
const LONGEST_ADDRESS = 300;

/**
 * A node's error text without stack, source places and addresses: its first line, at most 1000 characters. Each pattern matches
 * from one position of a run of characters only, so that its time is linear.
 */
export function toPlainMessage(text: string): string {
  return firstLine(text)
    .replace(SOURCE_PLACE, '')
    .replace(HOST_AND_PORT, (found) => (HOST.test(found) ? 'the node' : found))
    .trim()
    .slice(0, MAX_LENGTH);
}

function firstLine(text: string): string {
  const line = text.slice(0, READ_LENGTH).split('\n', 1)[0] ?? '';
  let end = line.length;
  // The cut may have left the first half of an address.
  if (end === READ_LENGTH) {
    while (end > READ_LENGTH - LONGEST_ADDRESS && PART_OF_ADDRESS.test(line[end - 1] ?? '')) end -= 1;
  }
  return line.slice(0, end);
}
