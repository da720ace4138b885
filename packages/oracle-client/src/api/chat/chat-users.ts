import type { IBrowserTool, IChatOptions } from '../chat-options.js';
import type { MountedValues } from '../mounted-values.js';
import type { MountedAction } from '../tools/action.js';
import { declaredTools } from '../tools/declared-tools.js';

/** Options of a component that shows the chat; read on use. */
export type ChatUser = () => Pick<IChatOptions, 'browserTools' | 'uiComponents' | 'streamingMode' | 'model'>;

/** The components that show one chat, and their combined tools and actions. */
export class ChatUsers {
  readonly #users = new Set<ChatUser>();
  readonly #actions: Pick<MountedValues<MountedAction>, 'list'>;

  constructor(actions: Pick<MountedValues<MountedAction>, 'list'>) {
    this.#actions = actions;
  }

  get isEmpty(): boolean {
    return this.#users.size === 0;
  }

  add(user: ChatUser): void {
    this.#users.add(user);
  }

  remove(user: ChatUser): void {
    this.#users.delete(user);
  }

  get streamingMode(): 'immediate' | 'batched' {
    return [...this.#users].some((user) => user().streamingMode === 'immediate') ? 'immediate' : 'batched';
  }

  toolNamed(name: string): IBrowserTool | undefined {
    return this.#tools().find(([key, tool]) => tool.toolName === name || key === name)?.[1];
  }

  /** Calls into this tab and components arrive only over the socket: a late socket misses them. */
  get needSocket(): boolean {
    const hasComponents = [...this.#users].some((user) => Object.keys(user().uiComponents ?? {}).length > 0);
    return hasComponents || this.#tools().length > 0 || this.#actions.list().length > 0;
  }

  /** The declarations sent with each message: the tools and actions of this tab, and the model. */
  async declared() {
    const model = [...this.#users].flatMap((user) => user().model ?? []).at(-1);
    const tools = new Map(this.#tools().map(([, tool]) => [tool.toolName, tool]));
    return {
      ...(await declaredTools([...tools.values()], this.#actions.list())),
      ...(model === undefined ? {} : { model }),
    };
  }

  #tools() {
    return [...this.#users].flatMap((user) => Object.entries(user().browserTools ?? {}));
  }
}
