import type { SettleParts } from '../agent/suspension.js';
import type { MessageFiles } from '../files/message-files.js';
import type { requireAuthScope } from '../http/hooks/require-auth-scope.js';
import type { StreamDeps } from '../http/runs.js';
import type { SendDeps } from '../http/start-turn.js';
import type { OracleIdentity } from '../identity/oracle-identity.js';
import type { PluginHost } from '../plugins/host/plugin-host.js';
import type { RunRepository } from '../runs/run-repository.js';
import type { SessionNames } from '../store/session-names.js';
import type { ProtocolName } from './names.js';
import type { SessionParts, TemporarySessions } from './sessions.js';

/** Dependencies of the protocols. */
export type ProtocolDeps = SendDeps &
  SessionParts &
  StreamDeps &
  SettleParts &
  Parameters<typeof requireAuthScope>[1] &
  ConstructorParameters<typeof TemporarySessions>[0] & {
    readonly oracle: OracleIdentity;
    /** Enabled protocols. */
    readonly protocols: readonly ProtocolName[];
    readonly sessionNames: SessionNames;
    readonly runRepository: RunRepository;
    readonly messageFiles: MessageFiles;
    readonly plugins: Pick<PluginHost, 'hasTool' | 'offers'>;
    /** Origins of pages that may call the oracle. */
    readonly corsOrigins: readonly string[];
    readonly allowsLoopbackPages: boolean;
    readonly trustProxy: readonly string[] | false;
  };
