import { connect } from './connect.js';
import { connectStream } from './connect-stream.js';
import { grpcWeb } from './grpc-web.js';
import type { TongueName } from './spoken-tongue.js';
import type { SpokenRequest, Tongue } from './tongue.js';

const SPEAKERS: Readonly<Record<TongueName, (request: SpokenRequest) => Tongue>> = {
  connect,
  'connect-stream': connectStream,
  'grpc-web': grpcWeb,
};

/** A request in its tongue. */
export function speak(name: TongueName, request: SpokenRequest): Tongue {
  return SPEAKERS[name](request);
}
