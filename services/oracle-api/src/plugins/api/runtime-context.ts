import type { Logger } from '@mlango/service-kit/logging';
import type { FrontendAnswer } from '../../agent/loop/turn-tool.js';
import type { TurnContext } from '../../agent/prompt/turn-context.js';
import type { MatrixSession } from '../../agent/turn-request.js';
import type { AnsweringModel } from '../../models/language-model.js';
import type { ObjectModel } from './grants.js';
import type { Kv } from './plugin-storage.js';

/** Outcome of a tool call: a result as JSON data, or an error text that a model can explain. */
export type ToolAnswer = FrontendAnswer;

/** Context of a turn for one plugin. */
export interface RuntimeContext<Config = Readonly<Record<string, unknown>>> extends TurnContext {
  /** The model that will answer. `object` rejects unless the plugin's manifest needs `model:object`. */
  readonly model: AnsweringModel & ObjectModel;
  /** The plugin's own settings, parsed by its schema. */
  readonly config: Config;
  /** The shared state of earlier plugins, by name; in `getSharedState`, only of its dependencies. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** The plugin's key-value state of the user. */
  readonly kv: Kv;
  readonly logger: Logger;
  /** Id of the current call: in tools, and in middlewares around them. */
  readonly toolCallId?: string;
  /** Tokens of the message, by tool name. Only for plugins that declare it in `receives`. */
  readonly mcpInvocations?: Readonly<Record<string, string>>;
  /** The user's Matrix session. Only for plugins that declare it in `receives`. Never log it or send it to a client. */
  readonly matrix?: MatrixSession;
}
