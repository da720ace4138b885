import { accountActs, accountChecks } from '../connectors/account/account-operations.js';
import { linkChecks, oracleActs } from '../connectors/oracle/oracle-operations.js';
import { operationOf } from '../connectors/registry.js';
import { alwaysKnown } from '../engine/check/check-facts.js';
import { carriedFacts } from '../engine/facts.js';
import {
  byName,
  type Entry,
  type Flow,
  type Landing,
  type Line,
  type ListOptions,
  type Operation,
  type Option,
  type Screen,
  type Texts,
} from '../engine/flow.js';
import { defaultHoursText, outsideHoursKey } from '../engine/opening-hours.js';
import { effectsOf, optionsOf } from '../engine/screen-options.js';
import { type EntryName, entryKinds } from '../entries/entry-kinds.js';
import type { EntryFile, FlowFile, LandingFile, ListFile, OptionFile, ScreenFile } from './flow-file.js';

/** Facts that the service fills in for all flows. */
const serviceFacts = ['appName'] as const;

const offered: Readonly<Record<string, Operation>> = { ...accountActs, ...accountChecks, ...oracleActs, ...linkChecks };

/** A validated flow as plain data. */
export interface FlowSource {
  readonly id: string;
  /** Differs with every change of its files. */
  readonly revision: string;
  readonly file: FlowFile;
  /** By language. */
  readonly texts: Readonly<Record<string, Texts>>;
}

/** A flow built from its files, with the places of its inline texts. */
export interface BuiltFlow {
  readonly flow: Flow;
  /** Their places in `flow.yaml`, by key. */
  readonly inline: ReadonlyMap<string, readonly string[]>;
}

/** Builds the flow that the engine runs. */
export function buildFlow({ id, revision, file, texts }: FlowSource): BuiltFlow {
  const inline = new InlineTexts(Object.keys(texts));
  const screens = byName(
    Object.entries(file.screens).map(([state, screen]) => [state, screenOf(state, screen, inline)]),
  );
  const declared = Object.entries(file.operations).map(
    ([name, settings]) => [name, operationOf(name, settings)] as const,
  );
  const used = new Set(Object.values(screens).flatMap((screen) => effectsOf(screen).map(({ effect }) => effect)));
  const operations = byName<Operation>([...Object.entries(offered).filter(([name]) => used.has(name)), ...declared]);
  const { screens: _, interrupted, ...named } = file;
  const flow: Flow = {
    ...named,
    id,
    revision,
    operations,
    screens,
    interrupted: inline.keyOf(interrupted, ['interrupted']),
    texts: inline.addTo(withHoursText(texts, screens)),
  };
  const carried = carriedFacts(flow, new Set([...alwaysKnown, ...serviceFacts]));
  const keeping = byName(
    Object.entries(screens).map(([state, screen]) => [state, { ...screen, carries: carried.get(state) }]),
  );
  return { flow: { ...flow, screens: keeping }, inline: inline.places };
}

/** Adds a default text for options outside their hours, if the flow has options with opening hours. */
function withHoursText(
  texts: FlowSource['texts'],
  screens: Readonly<Record<string, Screen>>,
): Readonly<Record<string, Texts>> {
  const hasHours = Object.values(screens).some((screen) => optionsOf(screen).some(({ hours }) => hours !== undefined));
  if (!hasHours) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([language, own]) => [
      language,
      byName([[outsideHoursKey, defaultHoursText(language)], ...Object.entries(own)]),
    ]),
  );
}

function screenOf(state: string, file: ScreenFile, inline: InlineTexts): Screen {
  const at = ['screens', state];
  const lines = file.lines.map((line, index): Line => lineOf(line, [...at, 'lines', String(index)], inline));
  if (file.closes) return { kind: 'closing', lines };
  const readOptions = (part: 'options' | 'navigation', options: readonly OptionFile[]) =>
    options.map((option, index) => optionOf(option, [...at, part, String(index)], inline));
  const { options } = file;
  const back: Option[] = file.back === undefined ? [] : [{ key: '0', label: 'back', to: file.back }];
  const { authenticated } = file;
  const open = {
    lines,
    options: Array.isArray(options) ? readOptions('options', options) : [],
    navigation: [...readOptions('navigation', file.navigation), ...back],
    authenticated,
  };
  if (file.entry === undefined) {
    return {
      kind: 'menu',
      ...open,
      ...(!Array.isArray(options) && { list: listOf(options, [...at, 'options'], inline) }),
    };
  }
  const entry = entryOf(state, file.entry, [...at, 'entry'], inline);
  return { kind: 'entry', ...open, entry, holdsSecret: kindOf(file.entry).holdsSecret };
}

function lineOf(line: ScreenFile['lines'][number], at: readonly string[], inline: InlineTexts): Line {
  if (typeof line === 'string' || typeof line.texts !== 'object') return inline.keyOf(line as TextFile, at);
  const texts = Object.entries(line.texts).map(([value, text]) => [value, inline.keyOf(text, [...at, 'texts', value])]);
  return { chosenBy: String(line['chosenBy']), texts: Object.fromEntries(texts) };
}

function optionOf(file: OptionFile, at: readonly string[], inline: InlineTexts): Option {
  const { key, to = '', choose = {}, refuse } = file;
  const printed = {
    key,
    label: inline.keyOf(file.label, [...at, 'label']),
    ...(file.hours !== undefined && { hours: file.hours }),
  };
  if (refuse !== undefined) return { ...printed, refuse: inline.keyOf(refuse, [...at, 'refuse']) };
  if (file.resumes === true) return { ...printed, resumes: true };
  if (file.looksAgain === true) return { ...printed, looksAgain: true };
  if (file.do !== undefined) return { ...printed, ...useOf(file.do, file, at, inline) };
  const [chosen] = Object.entries(choose).map(([name, value]) => ({ name, value }));
  return { ...printed, to, choose: chosen, reason: inline.keyOf(file.reason, [...at, 'reason']) };
}

function listOf(file: ListFile, at: readonly string[], inline: InlineTexts): ListOptions {
  const { from, to = '' } = file;
  const offered = { from, label: inline.keyOf(file.label, [...at, 'label']) };
  if (file.do !== undefined) return { ...offered, ...useOf(file.do, file, at, inline) };
  return { ...offered, to, reason: inline.keyOf(file.reason, [...at, 'reason']) };
}

function useOf(effect: string, file: Pick<EntryFile, 'with' | 'results'>, at: readonly string[], inline: InlineTexts) {
  const results = byName(
    Object.entries(file.results ?? {}).map(([result, landing]) => [
      result,
      landingOf(landing, [...at, 'results', result], inline),
    ]),
  );
  return { effect, with: file.with, results };
}

function landingOf({ to, reason, message }: LandingFile, at: readonly string[], inline: InlineTexts): Landing {
  return { to, reason: inline.keyOf(reason, [...at, 'reason']), message };
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
  const { read, longest, refusals: possible = kind.refusals } = kind.make(file as never);
  return {
    name: file.name ?? state,
    secret: kind.secret === true,
    rule: { refusals: possible, read },
    longest,
    refusals: Object.fromEntries(refusals),
    next: file.do === undefined ? { to: file.to ?? '' } : useOf(file.do, file, at, inline),
  };
}

/** Key of a text, or the text itself: by language, or for every language if it has fields and no words. */
export type TextFile = string | Readonly<Record<string, string>>;

/** Inline texts of `flow.yaml`: each gets a key that no text file can have. */
class InlineTexts {
  readonly #texts = new Map<string, Readonly<Record<string, string>>>();
  /** Place of each text, by key. */
  readonly places = new Map<string, readonly string[]>();
  readonly #languages: readonly string[];

  constructor(languages: readonly string[]) {
    this.#languages = languages;
  }

  keyOf(text: TextFile, at: readonly string[]): string;
  keyOf(text: TextFile | undefined, at: readonly string[]): string | undefined;
  keyOf(text: TextFile | undefined, at: readonly string[]): string | undefined {
    // Keys of texts have no braces.
    if (text === undefined || (typeof text === 'string' && !text.includes('{'))) return text;
    // A key of a text file has no dot, so an inline text replaces none of them.
    const key = at.length === 1 ? `flow.${at.join('')}` : at.join('.');
    const byLanguage =
      typeof text === 'object' ? text : Object.fromEntries(this.#languages.map((language) => [language, text]));
    this.#texts.set(key, byLanguage);
    this.places.set(key, at);
    return key;
  }

  /** All texts of each language with a text file. */
  addTo(texts: Readonly<Record<string, Texts>>): Readonly<Record<string, Texts>> {
    return byName(
      Object.entries(texts).map(([language, own]) => {
        const inline = [...this.#texts].flatMap(([key, byLanguage]) =>
          byLanguage[language] === undefined ? [] : [[key, byLanguage[language]] as const],
        );
        return [language, byName([...Object.entries(own), ...inline])];
      }),
    );
  }
}

/** Languages of a service, out of those of its flow. */
export interface LanguageChoice {
  readonly languages?: readonly string[] | undefined;
  /** Default for subscribers without a choice. */
  readonly defaultLanguage?: string | undefined;
}

/** A flow in some of its languages, without the keys that choose another one. The same flow if all are served. */
export function flowInLanguages(source: FlowSource, { languages, defaultLanguage }: LanguageChoice): FlowSource {
  const { file, texts, revision } = source;
  if (languages === undefined && defaultLanguage === undefined) return source;
  const offered = languages ?? Object.keys(texts);
  const isOffered = ({ with: values }: OptionFile) =>
    values?.['language'] === undefined || offered.includes(values['language']);
  const screens = Object.entries(file.screens).map(([state, screen]): [string, ScreenFile] => [
    state,
    {
      ...screen,
      options: Array.isArray(screen.options) ? screen.options.filter(isOffered) : screen.options,
      navigation: screen.navigation.filter(isOffered),
    },
  ]);
  const inDefault = defaultLanguage ?? (offered.includes(file.defaultLanguage) ? file.defaultLanguage : offered[0]);
  return {
    ...source,
    revision: [revision, inDefault, ...offered].join('.'),
    file: { ...file, defaultLanguage: inDefault ?? file.defaultLanguage, screens: Object.fromEntries(screens) },
    texts: Object.fromEntries(Object.entries(texts).filter(([language]) => offered.includes(language))),
  };
}
