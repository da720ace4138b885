import type { UserPreferencesRecord } from '@mlango/schemas/oracle-preferences';

export interface Preference {
  readonly name: 'userName' | 'agentName' | 'language' | 'tone' | 'responseLength' | 'format';
  readonly label: string;
  readonly example: string;
  readonly maxLength: number;
}

/** Fields of a few words each, with the oracle's limits. */
export const preferenceFields: readonly Preference[] = [
  { name: 'userName', label: 'Call me', example: 'Asha', maxLength: 80 },
  { name: 'agentName', label: 'Name of the oracle', example: 'Jua', maxLength: 80 },
  { name: 'language', label: 'Language', example: 'Swahili', maxLength: 20 },
  { name: 'tone', label: 'Tone', example: 'warm, direct', maxLength: 200 },
  { name: 'responseLength', label: 'Length of answers', example: 'a few sentences', maxLength: 200 },
  { name: 'format', label: 'Form of answers', example: 'lists where it helps', maxLength: 200 },
];

/** A copy, so that this page loads no schemas for it; a test compares it with them. */
export const formalities = [
  'casual',
  'friendly',
  'neutral',
  'semi-formal',
  'professional',
  'formal',
  'technical',
  'academic',
] as const satisfies readonly UserPreferencesRecord['formality'][];
