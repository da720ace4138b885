export interface FileRequest {
  readonly file: Blob;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Called with how much of it is sent, 0 to 1. */
  readonly onProgress?: ((sent: number) => void) | undefined;
}

/** Posts a file. As `fetch`, which cannot say how far it is: rejects without a reply, and with the signal's reason. */
export function sendFile(url: string, { file, headers, signal, onProgress }: FileRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 1 : loaded / total);
    request.onload = () => resolve(new Response(request.responseText || null, { status: request.status }));
    request.onerror = () => reject(new TypeError('The file could not be sent'));
    request.onabort = () => reject(signal?.reason as Error);
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    signal?.addEventListener('abort', abort);
    request.send(file);
  });
}
