import { viewOfId } from '../find/forms-of.js';

/** A piece of a printed answer, and the view that it names, if it does. */
export interface Piece {
  readonly text: string;
  readonly to?: readonly string[];
}

/** Names whose value is an id of a kind, whatever it looks like. */
const kinds: Readonly<Record<string, string>> = {
  claim_id: 'claims',
  collection_id: 'collections',
  height: 'blocks',
  subject_id: 'claims',
  txhash: 'transactions',
};
/** A text of JSON, and what shows that it is a name. */
const texts = /"((?:[^"\\]|\\.)*)"(: )?/g;

/** Cuts printed JSON where it names something that has a view; at most `limit` links. Pure. */
export function linksInJson(json: string, limit: number): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let links = 0;
  let name = '';
  for (const { 1: text = '', 2: colon, index } of json.matchAll(texts)) {
    const view = kinds[name];
    name = colon === undefined ? '' : text;
    if (colon !== undefined) continue;
    const to = view !== undefined && text !== '' && text !== '0' ? [view, text] : viewOfId(text);
    if (to === undefined) continue;
    if (links === limit) break;
    links += 1;
    pieces.push({ text: json.slice(from, index + 1) }, { text, to });
    from = index + 1 + text.length;
  }
  return [...pieces, { text: json.slice(from) }];
}
