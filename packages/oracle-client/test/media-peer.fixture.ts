import type { BrowserContext, Page } from 'playwright-core';
import type { MediaPeer } from './livekit-signal.fixture.js';

export interface Frames {
  readonly received: number;
  /** Frames without LiveKit's encryption trailer. */
  readonly inTheClear: number;
}

/** A page that handles the media in place of a media server, and inspects each frame as it arrived over the network. */
export async function answerMedia(
  context: BrowserContext,
  signalling: { setPeer(peer: MediaPeer): void },
  address: string,
): Promise<{ page: Page; frames: () => Promise<Frames> }> {
  const page = await context.newPage();
  // A page of the same origin, without its script.
  await page.route('**/page.js', (route) => route.abort());
  await page.goto(address);
  await page.evaluate(() => {
    const frames = { received: 0, inTheClear: 0 };
    const look = (frame: { data: ArrayBuffer }) => {
      const bytes = new Uint8Array(frame.data);
      frames.received += 1;
      if (bytes.at(-2) !== 12) frames.inTheClear += 1;
    };
    let peer: RTCPeerConnection | undefined;
    Object.assign(window, {
      frames,
      answer: async (sdp: string) => {
        if (peer === undefined) {
          peer = new RTCPeerConnection({ encodedInsertableStreams: true } as RTCConfiguration);
          peer.ontrack = ({ receiver }) => {
            const streams = (
              receiver as unknown as { createEncodedStreams(): { readable: ReadableStream<{ data: ArrayBuffer }> } }
            ).createEncodedStreams();
            void streams.readable.pipeTo(new WritableStream({ write: look }));
          };
        }
        await peer.setRemoteDescription({ type: 'offer', sdp });
        await peer.setLocalDescription(await peer.createAnswer());
        const current = peer;
        await new Promise<void>((resolve) => {
          const settle = () => {
            if (current.iceGatheringState === 'complete') resolve();
          };
          current.onicegatheringstatechange = settle;
          settle();
        });
        return current.localDescription?.sdp ?? '';
      },
      addCandidate: async (candidate: string) => {
        await peer?.addIceCandidate(JSON.parse(candidate));
      },
    });
  });
  const call = <Result>(name: string, argument: string) =>
    page.evaluate(
      ([named, given]) =>
        (window as unknown as Record<string, (text: string) => Promise<unknown>>)[named ?? '']?.(given ?? ''),
      [name, argument],
    ) as Promise<Result>;
  signalling.setPeer({
    answer: (sdp) => call('answer', sdp),
    addCandidate: (candidate) => call('addCandidate', candidate),
  });
  return { page, frames: () => page.evaluate(() => (window as unknown as { frames: Frames }).frames) };
}
