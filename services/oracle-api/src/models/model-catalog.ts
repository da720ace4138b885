import type { LanguageModel } from './language-model.js';

/** The models a caller may choose from. The first one is the default. */
export class ModelCatalog {
  readonly #models: readonly LanguageModel[];
  readonly default: LanguageModel;
  /** For titles and summaries. It need not be one of those to choose from. */
  readonly small: LanguageModel;

  constructor(models: readonly [LanguageModel, ...LanguageModel[]], small: LanguageModel = models[0]) {
    this.#models = models;
    this.default = models[0];
    this.small = small;
  }

  /** The model of that id, the default one without an id, or nothing. */
  find(id?: string): LanguageModel | undefined {
    return id === undefined ? this.default : this.#models.find((model) => model.id === id);
  }

  list(): { id: string; label: string; isDefault: boolean }[] {
    return this.#models.map(({ id, label }) => ({ id, label, isDefault: id === this.default.id }));
  }
}
