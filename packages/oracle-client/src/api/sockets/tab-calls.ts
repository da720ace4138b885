import type { IBrowserTool } from '../chat-options.js';
import type { MountedAction } from '../tools/action.js';
import { checkArgs } from '../tools/tool-schema.js';

export interface TabCallsParts {
  readonly sessionId: string;
  readonly toolNamed: (name: string) => IBrowserTool | undefined;
  readonly actions: { find(name: string): MountedAction | undefined };
  readonly send: (event: string, data: Readonly<Record<string, unknown>>) => void;
}

type Data = Readonly<Record<string, unknown>>;

/** Calls that are recorded, so that none is executed twice. */
const rememberedCalls = 200;
/** Characters of a result as JSON; oracles take messages of 256 KiB. */
const resultChars = 200_000;

/** Executes an agent's calls in this tab, each once, and sends their results. */
export class TabCalls {
  readonly #parts: TabCallsParts;
  readonly #seen = new Set<string>();

  constructor(parts: TabCallsParts) {
    this.#parts = parts;
  }

  /** Handles an event of the socket, if it is a call. */
  take(event: string, data: Data): void {
    const { toolCallId, toolName, args, status } = data;
    if (typeof toolCallId !== 'string' || typeof toolName !== 'string') return;
    const isAction = event === 'action_call';
    // An action is also reported when it is complete.
    if (event !== 'browser_tool_call' && !(isAction && (status === undefined || status === 'isRunning'))) return;
    if (this.#isKnown(`${event} ${toolCallId}`)) return;
    void this.#answer(isAction, toolCallId, toolName, args);
  }

  async #answer(isAction: boolean, toolCallId: string, toolName: string, args: unknown): Promise<void> {
    const { sessionId, send } = this.#parts;
    const event = isAction ? 'action_call_result' : 'tool_result';
    try {
      const result = sendable(await (isAction ? this.#act(toolName, args) : this.#callTool(toolName, args)));
      send(event, { toolCallId, sessionId, result });
    } catch (thrown) {
      const error = thrown instanceof Error && thrown.message !== '' ? thrown.message : String(thrown);
      send(event, { toolCallId, sessionId, result: isAction ? { success: false, error } : null, error });
    }
  }

  async #callTool(name: string, args: unknown): Promise<unknown> {
    const tool = this.#parts.toolNamed(name);
    if (tool === undefined) throw new Error(`There is no tool ${name} in this tab`);
    return tool.fn(await checkArgs(tool.schema, args));
  }

  async #act(name: string, args: unknown): Promise<unknown> {
    const action = this.#parts.actions.find(name);
    if (action === undefined) throw new Error(`There is no action ${name} in this tab`);
    return action.handler((await checkArgs(action.parameters, args)) as never);
  }

  #isKnown(call: string): boolean {
    if (this.#seen.has(call)) return true;
    this.#seen.add(call);
    const [oldest] = this.#seen;
    if (this.#seen.size > rememberedCalls && oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }
}

/** The serialised result. Throws if it is not JSON or too large. */
function sendable(result: unknown): unknown {
  const text = JSON.stringify(result ?? null) as string | undefined;
  if (text === undefined) return null;
  if (text.length > resultChars) throw new Error(`The result is too large: ${text.length} characters of JSON`);
  return JSON.parse(text);
}
