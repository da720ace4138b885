import type { FilesFrom } from '../../files/file-intake.js';
import type { ModelFile, ModelMessage } from '../../models/language-model.js';
import type { Wrap } from '../../models/wrap-model.js';
import type { UserPreferences } from '../../store/schema.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { RememberedMessage, RememberedTurn } from '../../store/turn-memory.js';
import type { TurnTool } from '../loop/turn-tool.js';
import type { TurnEvents } from '../turn-events.js';
import type { Turn } from '../turn-state.js';

/** A turn that is about to ask its model. */
export interface TurnSetting {
  readonly turn: Turn;
  readonly events: Pick<TurnEvents, 'publish' | 'room'>;
  /** The conversation as the model is shown it, oldest first, with the message to answer. */
  readonly messages: readonly ModelMessage[];
  /** The conversation before the message to answer as it is kept, oldest first. */
  readonly earlier: readonly RememberedMessage[];
  /** How the user wants to be talked to, where that was read with the conversation. */
  readonly preferences?: RememberedTurn['preferences'] | undefined;
}

/** A turn with what plugins bring to it. */
export interface PluggedTurn {
  /** What the model is told before the conversation. */
  readonly instructions: string;
  readonly preferences?: UserPreferences | undefined;
  /** What came with the message to answer, as far as it could be read. */
  readonly files: readonly ModelFile[];
  /** Other files of the conversation: one for each attachment, in their order. Never rejects. */
  readonly readFiles: (attachments: readonly StoredAttachment[], from: FilesFrom) => Promise<readonly ModelFile[]>;
  /** What the model may call now. Ask again before each step: a call may open up more. */
  readonly tools: () => readonly TurnTool[];
  /** The model as this turn asks it: with everything around it that plugins put there. */
  readonly around: Wrap;
  /** Ends what plugins may still tell of the turn. */
  readonly close: () => void;
}

/**
 * What plugs into turns.
 *
 * Failure: a plugin that fails is passed over; `open` rejects only when what the turn itself stands on cannot be reached.
 */
export interface TurnPlugins {
  open(setting: TurnSetting): Promise<PluggedTurn>;
}
