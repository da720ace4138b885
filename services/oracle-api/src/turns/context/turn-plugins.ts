import type { AnsweringModel, LanguageModel, ModelFile, ModelMessage } from '../../models/language-model.js';
import type { StoredAttachment, StoredToolCall } from '../../store/conversation-store.js';
import type { UserPreferences } from '../../store/preferences-store.js';
import type { TurnEvent, TurnPlace } from '../lifecycle/turn-event.js';
import type { TurnTool } from '../loop/turn-tool.js';
import type { DeclaredTools } from './declared-tools.js';
import type { MatrixSession } from './matrix-session.js';

/** A turn that is about to ask its model. */
export interface TurnSetting {
  readonly place: TurnPlace;
  /** The Matrix room that the session was created for. */
  readonly roomId?: string;
  /** The conversation as the model is shown it, oldest first, with the message to answer. */
  readonly messages: readonly ModelMessage[];
  /** The calls of tools that answers before this turn have made, oldest first. */
  readonly earlierCalls: readonly StoredToolCall[];
  /** What the tab that the message came from can do. */
  readonly declared: DeclaredTools;
  readonly model: AnsweringModel;
  /** What came with the message to answer. */
  readonly attachments: readonly StoredAttachment[];
  /** What came with messages before it, oldest first. */
  readonly earlierAttachments: readonly StoredAttachment[];
  readonly timezone?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly mcpInvocations?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly matrix?: MatrixSession;
  readonly signal: AbortSignal;
  /** Tells those who follow the run. Never rejects. */
  readonly emit: (event: TurnEvent) => Promise<void>;
}

/** A turn with what plugins bring to it. */
export interface PluggedTurn {
  /** What the model is told before the conversation. */
  readonly instructions: string;
  readonly preferences?: UserPreferences;
  /** What came with the message to answer, as far as it could be read. */
  readonly files: readonly ModelFile[];
  /** What the model may call now. Ask again before each step: a call may open up more. */
  tools(): readonly TurnTool[];
  /** The model as this turn asks it: with everything around it that plugins put there. */
  around(model: LanguageModel): LanguageModel;
  /** Ends what plugins may still tell of the turn. */
  close(): void;
}

/**
 * What plugs into turns.
 *
 * Failure: a plugin that fails is passed over; `open` rejects only when what the turn itself stands on cannot be reached.
 */
export interface TurnPlugins {
  open(setting: TurnSetting): Promise<PluggedTurn>;
}
