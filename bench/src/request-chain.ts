import type { CDPSession } from 'playwright-core';

/** A request as a browser tells of it. Times are seconds of the browser's own clock. */
export interface CountedRequest {
  readonly path: string;
  readonly method: string;
  /** How many answers had to come one after the other, this one among them: 1 is the page, 2 what the page names. */
  readonly depth: number;
  readonly atSeconds: number;
  endSeconds?: number;
  /** Headers and body, as they came over the line. */
  bytes?: number;
}

interface Stack {
  readonly callFrames: readonly { readonly url: string }[];
  readonly parent?: Stack;
}

/** Counts the requests of a page from now on, each as deep as the script that asked for it says. */
export async function countRequests(session: CDPSession): Promise<readonly CountedRequest[]> {
  const requests: CountedRequest[] = [];
  const byId = new Map<string, CountedRequest>();
  const depths = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ requestId, request, initiator, timestamp }) => {
    const askers = [initiator.url ?? '', ...urlsOf(initiator.stack as Stack | undefined)];
    const known = askers.flatMap((url) => depths.get(url) ?? []);
    const depth = requests.length === 0 ? 1 : Math.max(1, ...known) + 1;
    depths.set(request.url, depth);
    const counted = { path: new URL(request.url).pathname, method: request.method, depth, atSeconds: timestamp };
    byId.set(requestId, counted);
    requests.push(counted);
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const ended = byId.get(requestId);
    if (ended !== undefined) Object.assign(ended, { endSeconds: timestamp, bytes: encodedDataLength });
  });
  await session.send('Network.enable');
  return requests;
}

function urlsOf(stack: Stack | undefined): string[] {
  return stack === undefined ? [] : [...stack.callFrames.map(({ url }) => url), ...urlsOf(stack.parent)];
}
