/** The words that stand around a text. */
export interface MarkdownWords {
  readonly code: string;
  readonly copy: string;
  readonly copied: string;
  readonly table: string;
  readonly showImage: (alternative: string, host: string) => string;
}

export const markdownWords = {
  en: {
    code: 'Code',
    copy: 'Copy',
    copied: 'Copied',
    table: 'Table',
    showImage: (alternative, host) => `Show image from ${host}${alternative === '' ? '' : `: ${alternative}`}`,
  },
  sw: {
    code: 'Msimbo',
    copy: 'Nakili',
    copied: 'Imenakiliwa',
    table: 'Jedwali',
    showImage: (alternative, host) => `Onyesha picha kutoka ${host}${alternative === '' ? '' : `: ${alternative}`}`,
  },
  fr: {
    code: 'Code',
    copy: 'Copier',
    copied: 'Copié',
    table: 'Tableau',
    showImage: (alternative, host) => `Afficher l’image de ${host}${alternative === '' ? '' : ` : ${alternative}`}`,
  },
} as const satisfies Record<string, MarkdownWords>;
