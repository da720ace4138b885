import { accountActs, accountChecks } from '../connectors/account/account-operations.js';
import { chainOperation } from '../connectors/chain/chain-operation.js';
import { alwaysKnown } from '../engine/check-facts.js';
import type { Entry } from '../engine/entry.js';
import { effectsOf, type Flow, type Landing, type Line, type Option, type Screen, type Texts } from '../engine/flow.js';
import { keepFacts } from '../engine/keep-facts.js';
import type { Operation } from '../engine/operation.js';
import { type EntryName, entryKinds } from '../entries/entry-kinds.js';
import type { EntryFile, FlowFile, OptionFile, ScreenFile } from './flow-file.js';
import { InlineTexts, type TextFile } from './inline-texts.js';

/** Facts that the service fills in for all flows. */
const serviceFacts = ['appName'] as const;

const offered: Readonly<Record<string, Operation>> = { ...accountActs, ...accountChecks };

/** A dialogue that was read and is sound, as plain data. */
export interface FlowSource {
  readonly id: string;
  /** Differs with every change of its files. */
  readonly revision: string;
  readonly file: FlowFile;
  /** By language. */
  readonly texts: Readonly<Record<string, Texts>>;
}

/** A dialogue as its files tell it, and where those of its texts are told that no file of texts has. */
export interface BuiltFlow {
  readonly flow: Flow;
  /** Their places in `flow.yaml`, by key. */
  readonly inline: ReadonlyMap<string, readonly string[]>;
}

/** The dialogue that the engine runs. */
export function buildFlow({ id, revision, file, texts }: FlowSource): BuiltFlow {
  const inline = new InlineTexts();
  const screens = Object.fromEntries(
    Object.entries(file.screens).map(([state, screen]) => [state, screenOf(state, screen, inline)]),
  );
  const declared = Object.entries(file.operations).map(([name, settings]) => [name, chainOperation(settings)] as const);
  const named = new Set(
    Object.values(screens)
      .flatMap(effectsOf)
      .map(({ effect }) => effect),
  );
  const operations: Readonly<Record<string, Operation>> = {
    ...Object.fromEntries(Object.entries(offered).filter(([name]) => named.has(name))),
    ...Object.fromEntries(declared),
  };
  const { version, start, exit, defaultLanguage, resumeOffer, working, interrupted } = file;
  const flow: Flow = {
    ...{ id, version, revision, start, exit, defaultLanguage, operations, screens },
    ...(resumeOffer === undefined ? {} : { resumeOffer }),
    ...(working === undefined ? {} : { working }),
    ...(interrupted === undefined ? {} : { interrupted: inline.keyOf(interrupted, ['interrupted']) }),
    texts: inline.addTo(texts),
  };
  const kept = keepFacts(flow, new Set([...alwaysKnown, ...serviceFacts]));
  const keeping = Object.entries(screens).map(([state, screen]) => {
    const keeps = kept.get(state) ?? [];
    return [state, keeps.length === 0 ? screen : { ...screen, keeps }];
  });
  return { flow: { ...flow, screens: Object.fromEntries(keeping) }, inline: inline.places };
}

function screenOf(state: string, file: ScreenFile, inline: InlineTexts): Screen {
  const at = ['screens', state];
  const lines = file.lines.map((line, index): Line => lineOf(line, [...at, 'lines', String(index)], inline));
  if (file.closes) return { kind: 'closing', lines };
  const optionsOf = (part: 'options' | 'navigation') =>
    file[part].map((option, index) => optionOf(option, [...at, part, String(index)], inline));
  const back: Option[] = file.back === undefined ? [] : [{ key: '0', label: 'back', to: file.back }];
  const open = {
    lines,
    options: optionsOf('options'),
    navigation: [...optionsOf('navigation'), ...back],
    ...(file.authenticated ? { authenticated: true } : {}),
  };
  if (file.entry === undefined) return { kind: 'menu', ...open };
  const { holdsSecret } = kindOf(file.entry);
  const entry = entryOf(state, file.entry, [...at, 'entry'], inline);
  return { kind: 'entry', ...open, entry, ...(holdsSecret === true ? { holdsSecret } : {}) };
}

function lineOf(line: ScreenFile['lines'][number], at: readonly string[], inline: InlineTexts): Line {
  if (!isChosen(line)) return inline.keyOf(line, at);
  const texts = Object.entries(line.texts).map(([value, text]) => [value, inline.keyOf(text, [...at, 'texts', value])]);
  return { chosenBy: line.chosenBy, texts: Object.fromEntries(texts) };
}

function isChosen(
  line: ScreenFile['lines'][number],
): line is Extract<typeof line, { chosenBy: string; texts: object }> {
  return typeof line === 'object' && typeof line.texts === 'object';
}

function optionOf(file: OptionFile, at: readonly string[], inline: InlineTexts): Option {
  const { key, label, to, choose, reason, refuse } = file;
  const printed = { key, ...(label === undefined ? {} : { label: inline.keyOf(label, [...at, 'label']) }) };
  if (refuse !== undefined) return { ...printed, refuse: inline.keyOf(refuse, [...at, 'refuse']) };
  if (file.resumes === true) return { ...printed, resumes: true };
  if (file.looksAgain === true) return { ...printed, looksAgain: true };
  if (file.do !== undefined) return { ...printed, ...useOf({ ...file, do: file.do }, at, inline) };
  const [chosen] = Object.entries(choose ?? {});
  return {
    ...printed,
    to: to ?? '',
    ...(chosen === undefined ? {} : { choose: { name: chosen[0], value: chosen[1] } }),
    ...(reason === undefined ? {} : { reason: inline.keyOf(reason, [...at, 'reason']) }),
  };
}

interface UseFile {
  readonly do: string;
  readonly with?: Readonly<Record<string, string>> | undefined;
  readonly results?:
    | Readonly<Record<string, { readonly to?: string | undefined; readonly reason?: TextFile | undefined }>>
    | undefined;
}

function useOf(file: UseFile, at: readonly string[], inline: InlineTexts) {
  const results = Object.entries(file.results ?? {}).map(([result, landing]) => [
    result,
    landingOf(landing, [...at, 'results', result], inline),
  ]);
  return {
    effect: file.do,
    ...(file.with === undefined ? {} : { with: file.with }),
    results: Object.fromEntries(results) as Readonly<Record<string, Landing>>,
  };
}

function landingOf(
  { to, reason }: { readonly to?: string | undefined; readonly reason?: TextFile | undefined },
  at: readonly string[],
  inline: InlineTexts,
): Landing {
  return {
    ...(to === undefined ? {} : { to }),
    ...(reason === undefined ? {} : { reason: inline.keyOf(reason, [...at, 'reason']) }),
  };
}

function kindOf({ kind }: EntryFile) {
  return entryKinds[kind as EntryName];
}

function entryOf(state: string, file: EntryFile, at: readonly string[], inline: InlineTexts): Entry {
  const kind = kindOf(file);
  const refusals = Object.entries(file.refusals).map(([name, refusal]) => {
    const there = [...at, 'refusals', name];
    const isLanding = typeof refusal === 'object' && ('to' in refusal || 'reason' in refusal);
    return [name, isLanding ? landingOf(refusal, there, inline) : { reason: inline.keyOf(refusal as TextFile, there) }];
  });
  const { read, longest } = kind.make(file as never);
  return {
    name: file.name ?? state,
    secret: kind.secret === true,
    rule: { refusals: kind.refusals, read },
    longest,
    refusals: Object.fromEntries(refusals),
    next: file.do === undefined ? { to: file.to ?? '' } : useOf({ ...file, do: file.do }, at, inline),
  };
}
