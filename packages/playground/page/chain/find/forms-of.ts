import { paths } from '../parts/paths.js';

/** Something that a text may name, by its form. */
export interface SearchForm {
  /** The kind, as a word. */
  readonly kind: string;
  /** The text as the chain writes it. */
  readonly id: string;
  /** The path that exists exactly if the entry does. */
  readonly path: string;
  /** The view that shows it. */
  readonly to: readonly string[];
}

type Reading = (id: string) => SearchForm;

const reading =
  (kind: string, view: string, path: (id: string) => string): Reading =>
  (id) => ({ kind, id, path: path(id), to: [view, id] });

const account = reading('account', 'accounts', paths.account);
const block = reading('block', 'blocks', paths.blockHeader);
const claim = reading('claim', 'claims', paths.claim);
const collection = reading('collection', 'collections', paths.collection);
const contract = reading('contract', 'accounts', paths.contract);
const dispute = reading('dispute', 'disputes', paths.dispute);
const document = reading('document', 'documents', paths.document);
const entity = reading('entity', 'entities', paths.entity);
const token = reading('token', 'tokens', paths.token);
const transaction = reading('transaction', 'transactions', paths.transaction);
const validator = reading('validator', 'validators', paths.validator);

/** The letters of bech32. Source: BIP 173. */
const letters = '[02-9ac-hj-np-z]';
type Form = readonly [form: RegExp, readings: readonly Reading[]];

/** Unambiguous forms. */
const plain: readonly Form[] = [
  [/^did:ixo:entity:[\w.-]+$/, [entity]],
  [/^did:[a-z0-9]+:[\w.:%-]+$/, [document]],
  [new RegExp(`^[a-z]+valoper1${letters}{38}$`), [validator]],
  [new RegExp(`^[a-z]+1${letters}{38}$`), [account]],
  [new RegExp(`^[a-z]+1${letters}{58}$`), [account, contract]],
];
/** Hashes and numbers have more than one use. */
const ambiguous: readonly Form[] = [
  [/^(0x)?[0-9A-Fa-f]{64}$/, [(hash) => transaction(hash.replace(/^0x/, '').toUpperCase())]],
  [/^[0-9a-f]{32}$/, [token]],
  [/^(bafk|bafy)[a-z2-7]{40,80}$|^Qm[1-9A-HJ-NP-Za-km-z]{44}$/, [claim, dispute]],
  [/^\d{1,3}(,\d{3})+$|^\d{1,15}$/, [collection, block].map((read) => (digits) => read(digits.replaceAll(',', '')))],
  // Ids of any other form.
  [/^\S{1,200}$/, [claim, entity, token]],
];

/** The kinds of object that a text may name, likeliest first; empty for a text without the form of an id. Pure. */
export function formsOf(text: string): SearchForm[] {
  const id = text
    .trim()
    .replace(/^["']|["']$/g, '')
    .replace(/^ipfs:(\/\/)?/, '')
    .replace(/^(did:[^#]+)#.*$/, '$1');
  return readingsOf([...plain, ...ambiguous], id).map((read) => read(id));
}

/** The view of an id with an unambiguous form, such as a DID or an address; undefined for any other text. Pure. */
export function viewOfId(id: string): readonly string[] | undefined {
  const [read] = readingsOf(plain, id);
  return read?.(id).to;
}

function readingsOf(forms: readonly Form[], id: string): readonly Reading[] {
  return forms.find(([form]) => form.test(id))?.[1] ?? [];
}
