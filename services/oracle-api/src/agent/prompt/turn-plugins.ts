import type { FilesFrom } from '../../files/file-intake.js';
import type { ModelFile, ModelMessage } from '../../models/language-model.js';
import type { Wrap } from '../../models/wrap-model.js';
import type { UserPreferences } from '../../store/schema.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { RememberedMessage, RememberedTurn } from '../../store/turn-memory.js';
import type { TurnTool } from '../loop/turn-tool.js';
import type { Turn } from '../turn.js';
import type { TurnEvents } from '../turn-events.js';

/** Input of the plugins before the first model request of a turn. */
export interface TurnSetting {
  readonly turn: Turn;
  readonly events: Pick<TurnEvents, 'publish' | 'room'>;
  /** The conversation as sent to the model, oldest first, with the message to answer. */
  readonly messages: readonly ModelMessage[];
  /** The stored conversation before the message to answer, oldest first. */
  readonly earlier: readonly RememberedMessage[];
  /** The user's preferences, if they were read with the conversation. */
  readonly preferences?: RememberedTurn['preferences'] | undefined;
}

/** A turn with the contributions of its plugins. */
export interface PluggedTurn {
  /** System instructions for the model. */
  readonly instructions: string;
  readonly preferences?: UserPreferences | undefined;
  /** Readable files of the message to answer. */
  readonly files: readonly ModelFile[];
  /** Other files of the conversation: one for each attachment, in order. Never rejects. */
  readonly readFiles: (attachments: readonly StoredAttachment[], from: FilesFrom) => Promise<readonly ModelFile[]>;
  /** Tools available now. Call before each step, because a tool call may enable more tools. */
  readonly tools: () => readonly TurnTool[];
  /** Wraps the model with the plugins' middleware. */
  readonly around: Wrap;
  /** Stops the events of plugins for this turn. */
  readonly close: () => void;
}

/**
 * Extends turns with plugins.
 * Failure: a failing plugin is skipped; `open` rejects only when a store that the turn requires is unavailable.
 */
export interface TurnPlugins {
  open(setting: TurnSetting): Promise<PluggedTurn>;
}
