import type { SendMessageBody } from '@mlango/schemas/oracle';
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
        call: (args, { toolCallId, signal }) => calls.call(turn, { kind, toolCallId, toolName: name, args }, signal),
      }),
    );
  const all = [...toolsOf('browser_tool', declared.tools ?? []), ...toolsOf('action', declared.agActions ?? [])];
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}
