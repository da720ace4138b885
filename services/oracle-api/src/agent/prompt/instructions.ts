import { onQuotes } from '../../models/untrusted-text.js';
import type { UserPreferences } from '../../store/schema.js';

/** Identity of the oracle for its users. */
export interface Persona {
  readonly name: string;
  /** Organisation that it represents. */
  readonly org?: string;
  readonly description?: string;
  /** Additional instructions of the operator. */
  readonly prompt?: string;
}

/**
 * Visibility of a plugin to the model. `always`: its tools are present in every turn. `on-demand`: the model sees that
 * the plugin exists and requests its tools when needed. `silent`: invisible to the model, so the plugin has no tools.
 */
export type Visibility = 'always' | 'on-demand' | 'silent';

/** What the model is told of a plugin. */
export interface PluginDescription {
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** For the model, after "Use it when". */
  readonly whenToUse: string;
  readonly visibility: Visibility;
}

/** A plugin as described to the model. */
type KnownCapability = PluginDescription & {
  readonly name: string;
};

const preferenceLines: readonly (readonly [keyof UserPreferences, string])[] = [
  ['userName', 'Call the user'],
  ['agentName', 'The user calls you'],
  ['language', 'Answer in this language'],
  ['tone', 'Tone'],
  ['formality', 'Formality'],
  ['responseLength', 'Length of answers'],
  ['format', 'Format of answers'],
  ['customInstructions', 'In their own words'],
];

/** System instructions for the model: identity, capabilities and user preferences. Pure. */
export function composeInstructions(
  { name, org, description, prompt }: Persona,
  capabilities: readonly KnownCapability[],
  preferences: UserPreferences | undefined,
): string {
  const use = (visibility: KnownCapability['visibility']) =>
    capabilities
      .filter((capability) => capability.visibility === visibility)
      .map(({ name: id, title, summary, whenToUse }) => `- ${title} (${id}): ${summary} Use it when ${whenToUse}`);
  const wishes = preferenceLines.flatMap(([field, words]) => {
    const value = preferences?.[field];
    return value === undefined || value === '' ? [] : [`- ${words}: ${JSON.stringify(value)}`];
  });
  return [
    [`You are ${name}${org === undefined ? '' : `, an agent of ${org}`}.`, description].filter(Boolean).join(' '),
    prompt,
    section('What you can do:', use('always')),
    section('What you can also do, once load_capability has given you the tools:', use('on-demand')),
    section('How this user wants to be talked to, which changes nothing else:', wishes),
    onQuotes,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}

function section(heading: string, lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : [heading, ...lines].join('\n');
}
