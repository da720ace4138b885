const MAX_LENGTH = 1000;

/** Places in a node's source, as Go errors and the SDK print them: `[cosmos/baseapp/abci.go:123]`, `/go/x.go:1`. */
const SOURCE_PLACE = /\s*\[?[\w@./-]*\.go:[0-9]+(?: \+0x[0-9a-f]+)?\]?/g;
/** An address with a port, IPv4, bracketed IPv6 or a name with dots. */
const ADDRESS =
  /(?:\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}|\[[0-9a-fA-F:]+\]|\b(?:[a-z0-9-]+\.)+[a-z0-9-]+|\blocalhost):[0-9]{2,5}\b/g;

/** A node's error text without stack, source places and addresses: its first line, at most 1000 characters. */
export function toPlainMessage(text: string): string {
  const firstLine = text.split(/\r?\n/, 1)[0] ?? '';
  return firstLine.replace(SOURCE_PLACE, '').replace(ADDRESS, 'the node').trim().slice(0, MAX_LENGTH);
}
