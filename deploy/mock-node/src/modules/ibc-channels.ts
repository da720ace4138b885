import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import type { Block } from '../chain-clock.js';
import { jsonPage } from '../serving/json-page.js';
import type { JsonServices } from '../serving/json-service.js';
import { StatusError } from '../status-error.js';
import { table } from '../table.js';

const CHANNEL: JsonObject = {
  state: 'STATE_OPEN',
  ordering: 'ORDER_UNORDERED',
  counterparty: { port_id: 'transfer', channel_id: 'channel-204' },
  connection_hops: ['connection-0'],
  version: 'ics20-1',
};
const NAMED = { ...CHANNEL, port_id: 'transfer', channel_id: 'channel-0' };

export const ofChannel = { channel_id: 'channel-0', port_id: 'transfer' };

/** One open channel, on which nothing is under way. `identified` is the client that it rests on. */
export function channelService(identified: JsonObject): JsonServices {
  const channels = table([NAMED], () => 'channel-0');
  return {
    'ibc.core.channel.v1.Query': {
      Channel: {
        example: ofChannel,
        answer: (request, block) => {
          requireKnown(request['channel_id'] === 'channel-0', 'port-id/channel-id: channel not found');
          return { channel: CHANNEL, ...proven(block) };
        },
      },
      Channels: {
        example: {},
        answer: (request, block) => ({ ...jsonPage('channels', channels, request), height: heightOf(block) }),
      },
      ConnectionChannels: {
        example: { connection: 'connection-0' },
        answer: (request, block) => ({ ...jsonPage('channels', channels, request), height: heightOf(block) }),
      },
      ChannelClientState: {
        example: ofChannel,
        answer: (_, block) => ({ identified_client_state: identified, ...proven(block) }),
      },
      UnreceivedPackets: {
        example: { ...ofChannel, packet_commitment_sequences: ['1', '2'] },
        answer: ({ packet_commitment_sequences: asked = [] }, block) => ({ sequences: asked, height: heightOf(block) }),
      },
      UnreceivedAcks: {
        example: { ...ofChannel, packet_ack_sequences: ['1', '2'] },
        answer: ({ packet_ack_sequences: asked = [] }, block) => ({ sequences: asked, height: heightOf(block) }),
      },
      PacketReceipt: {
        example: { ...ofChannel, sequence: '1' },
        answer: (_, block) => ({ received: false, ...proven(block) }),
      },
      PacketCommitments: {
        example: ofChannel,
        answer: (_, block) => ({ commitments: [], pagination: { total: '0' }, height: heightOf(block) }),
      },
      PacketAcknowledgements: {
        example: ofChannel,
        answer: (_, block) => ({ acknowledgements: [], pagination: { total: '0' }, height: heightOf(block) }),
      },
      NextSequenceSend: {
        example: ofChannel,
        answer: (_, block) => ({ next_sequence_send: '21', ...proven(block) }),
      },
      NextSequenceReceive: {
        example: ofChannel,
        answer: (_, block) => ({ next_sequence_receive: '13', ...proven(block) }),
      },
    },
  };
}

export function proven(block: Block) {
  return { proof_height: heightOf(block) };
}

export function heightOf({ height }: Block): JsonObject {
  return { revision_number: '1', revision_height: String(height) };
}

export function requireKnown(isKnown: boolean, text: string): void {
  if (!isKnown) throw new StatusError(status.NOT_FOUND, text);
}
