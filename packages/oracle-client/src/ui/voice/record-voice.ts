import { voiceFileName } from '../parts/files.js';

/** The longest voice note, about 0.8 MB. */
export const longestSeconds = 180;
/** Below the upload limit at any bit rate. */
const mostBytes = 4_000_000;
const bitsPerSecond = 32_000;

/** In the order of the oracles' support; a browser has one of them. */
const types = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];

export interface VoiceRecording {
  /** Resolves when the recording ends: stopped, at the limit, or when the microphone is disconnected. */
  readonly file: Promise<File>;
  stop(): void;
  /** How loud it is just now, 0 to 1. */
  level(): number;
}

/** Requests the microphone and records. Rejects with the browser's error if it is missing or denied. */
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
    // Speech needs no higher bit rate.
    return Math.min(1, Math.sqrt(power) * 4);
  };
}
