import type { Away, ConnectProblem } from '@mlango/grpc-channel';

/** Where an operator looks first. */
const SETTINGS: Partial<Record<ConnectProblem, string>> = {
  'certificate-name': 'GRPC_TARGETS',
  'certificate-untrusted': 'GRPC_CA_FILE',
  'certificate-wanted': 'GRPC_CERT_FILE, GRPC_KEY_FILE',
  'closed-early': 'GRPC_TLS, GRPC_CERT_FILE',
  'no-tls': 'GRPC_TLS',
  tls: 'GRPC_TLS',
  http1: 'GRPC_TARGETS',
  refused: 'GRPC_TARGETS',
  'name-unknown': 'GRPC_TARGETS',
};

/** Why a node is not ready, in words for operators, with the settings that decide it. */
export function describeAway({ problem, reason }: Away): string {
  const settings = SETTINGS[problem];
  return settings === undefined ? reason : `${reason} (${settings})`;
}
