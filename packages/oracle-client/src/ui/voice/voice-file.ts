const prefix = 'voice-note-';

/** What a voice note is called: by the time, so that no two of a conversation have one name. Pure. */
export function voiceFileName(at: Date, type: string): string {
  return `${prefix}${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}.${type.replace(/^audio\//, '')}`;
}

/** A file's name as people read it. Pure. */
export function shownName(filename: string, voiceNote: string): string {
  return filename.startsWith(prefix) ? voiceNote : filename;
}

/** Whether a file is sound, by its type. Pure. */
export function isSound(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('audio/');
}
