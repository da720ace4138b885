import type { SendMessageBody } from '@mlango/schemas/oracle';
import { checkDeclared } from './declared-schema.js';
import type { FrontendCall, FrontendCalls } from './frontend-calls.js';
import type { TurnPlace } from './turn-event.js';
import type { TurnTool } from './turn-tool.js';

/** What a message declares: browser tools and AG-UI actions of the tab it came from. */
export type DeclaredTools = Pick<SendMessageBody, 'tools' | 'agActions'>;

/** The declared tools as the turn calls them. Of two of one name the first counts. */
export function frontendTools(declared: DeclaredTools, calls: FrontendCalls, turn: TurnPlace): TurnTool[] {
  const toolsOf = (kind: FrontendCall['kind'], of: NonNullable<DeclaredTools['tools']>) =>
    of.map(
      ({ name, description, schema }): TurnTool => ({
        kind,
        name,
        description,
        schema,
        call: async (args, { toolCallId, signal }) => {
          const checked = checkDeclared(schema, args);
          if (!checked.ok) return { ok: false, error: `The arguments do not fit: ${checked.problem}`, isBadCall: true };
          return calls.call(turn, { kind, toolCallId, toolName: name, args }, signal);
        },
      }),
    );
  const all = [...toolsOf('browser_tool', declared.tools ?? []), ...toolsOf('action', declared.agActions ?? [])];
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}
