import type { JsonObject } from '@bufbuild/protobuf';
import { type handleUnaryCall, Metadata, type ServerUnaryCall, status } from '@grpc/grpc-js';
import type { Block, Clock } from '../chain-clock.js';
import { StatusError } from '../status-error.js';
import { echo } from './echo.js';
import { detailsTrailer } from './error-details.js';
import { type Fault, faultInMetadata, faultInRequest } from './fault.js';
import { HEIGHT_KEY, requestedBlock } from './height.js';
import { malformedReply, oversizedReply, type RawReplies } from './raw-reply.js';
import { breakStream, breakTransport, sendGoaway, streamOf } from './transport.js';

/** The shared state of one node's queries. */
export interface QueryContext {
  readonly clock: Clock;
  readonly earliestHeight: number;
  readonly raw: RawReplies;
  /** A fault of the whole node, for the time being. */
  fault(): Fault | undefined;
  /** Called for each incoming call. */
  onCall(rpcPath: string): void;
}

/** How a method is answered, in protobuf's JSON with names as declared: 64-bit integers and bytes are text. */
export interface JsonQuery {
  /** A request with a reply. */
  readonly example: JsonObject;
  /** @throws StatusError for an answer that is a status */
  answer(request: JsonObject, block: Block): JsonObject;
}

/** Creates the handler of a query: height, echoed metadata, faults, errors. */
export function serveUnary(context: QueryContext, query: JsonQuery): handleUnaryCall<JsonObject, JsonObject> {
  return (call, callback) => {
    context.onCall(call.getPath());
    const header = new Metadata();
    const trailer = new Metadata();
    echo(call.metadata, header, trailer);
    let block: Block;
    try {
      block = requestedBlock(call.metadata, context.clock(), context.earliestHeight);
    } catch (error) {
      return callback({ ...statusOf(error), metadata: trailer });
    }
    header.set(HEIGHT_KEY, String(block.height));
    const inRequest = faultInRequest(call.request);
    // A request that names a fault names no record: apart from the fault it gets the answer to the example.
    const request = inRequest ? query.example : call.request;
    const answer: Answer = {
      start: () => call.sendMetadata(header),
      give(raw) {
        try {
          // Requests share replies, so other bytes belong to a copy.
          const reply = raw ? { ...query.answer(request, block) } : query.answer(request, block);
          if (raw) context.raw.set(reply, raw);
          call.sendMetadata(header);
          callback(null, reply, trailer);
        } catch (error) {
          this.fail(statusOf(error));
        }
      },
      fail(error) {
        call.sendMetadata(header);
        callback({ code: error.code, details: error.details, metadata: trailer });
      },
    };
    const fault = inRequest ?? faultInMetadata(call.metadata) ?? context.fault();
    if (fault?.kind === 'status' && fault.details) trailer.merge(detailsTrailer(fault.code, forcedText(fault.code)));
    if (fault) goWrong(fault, call, answer);
    else answer.give();
  };
}

/** The possible continuations of a call. */
interface Answer {
  /** Sends the header metadata alone. */
  start(): void;
  /** Answers the query, with other bytes if any are given. */
  give(raw?: Buffer): void;
  fail(error: StatusText): void;
}

interface StatusText {
  readonly code: status;
  readonly details: string;
}

function goWrong(fault: Fault, call: ServerUnaryCall<JsonObject, JsonObject>, answer: Answer): void {
  switch (fault.kind) {
    case 'status':
      answer.fail({ code: fault.code, details: forcedText(fault.code) });
      break;
    case 'delay': {
      const timer = setTimeout(() => answer.give(), fault.delayMs);
      call.once('cancelled', () => clearTimeout(timer));
      break;
    }
    case 'oversized':
      answer.give(oversizedReply());
      break;
    case 'malformed':
      answer.give(malformedReply());
      break;
    case 'broken-stream':
      answer.start();
      breakStream(streamOf(call));
      break;
    case 'broken-transport':
      breakTransport(streamOf(call));
      break;
    case 'goaway':
      sendGoaway(streamOf(call));
      answer.give();
  }
}

function forcedText(code: number): string {
  return `forced status ${code}`;
}

function statusOf(error: unknown): StatusText {
  if (error instanceof StatusError) return { code: error.code, details: error.message };
  return { code: status.INTERNAL, details: 'internal error' };
}
