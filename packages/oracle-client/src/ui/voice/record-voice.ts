import { voiceFileName } from '../parts/files.js';

/** The longest voice note; with what a second takes, some 0.8 MB. */
export const longestSeconds = 180;
/** Below what oracles take of one file, whatever a browser makes of the rate. */
const mostBytes = 4_000_000;
const bitsPerSecond = 32_000;

/** By what oracles read; a browser has one of them. */
const types = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];

export interface VoiceRecording {
  /** Resolves when it has ended, also by itself: at its longest, or because the microphone is gone. */
  readonly file: Promise<File>;
  stop(): void;
  /** How loud it is just now, 0 to 1. */
  level(): number;
}

/** Asks for the microphone and records. Rejects with what the browser says where there is none, or its user does not want it. */
export async function recordVoice(): Promise<VoiceRecording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const listener = new AudioContext();
  const letGo = () => {
    for (const track of stream.getTracks()) track.stop();
    void listener.close();
  };
  try {
    const level = levelOf(listener, stream);
    const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type));
    const recorder = new MediaRecorder(stream, {
      audioBitsPerSecond: bitsPerSecond,
      ...(mimeType === undefined ? {} : { mimeType }),
    });
    const stop = () => {
      if (recorder.state !== 'inactive') recorder.stop();
    };
    const pieces: Blob[] = [];
    let bytes = 0;
    recorder.ondataavailable = ({ data }) => {
      pieces.push(data);
      bytes += data.size;
      if (bytes > mostBytes) stop();
    };
    const file = new Promise<File>((resolve) => {
      recorder.onstop = () => {
        clearTimeout(longest);
        letGo();
        const type = recorder.mimeType.replace(/;.*/, '');
        resolve(new File(pieces, voiceFileName(new Date(), type), { type }));
      };
    });
    const longest = setTimeout(stop, longestSeconds * 1_000);
    recorder.start(1_000);
    return { file, stop, level };
  } catch (error) {
    letGo();
    throw error;
  }
}

function levelOf(context: AudioContext, stream: MediaStream): () => number {
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return () => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    // Speech is far below what a microphone could take.
    return Math.min(1, Math.sqrt(power) * 4);
  };
}
