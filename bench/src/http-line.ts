import { connect, type Socket } from 'node:net';

export interface HttpReply {
  readonly status: number;
  readonly body: string;
}

/**
 * One keep-alive connection that asks, or posts JSON, one request at a time. It does no more than that, so that a load of
 * thousands a second leaves the processor to what is measured.
 */
export class HttpLine {
  readonly #socket: Socket;
  readonly #host: string;
  #received = '';
  #settle: { resolve: (reply: HttpReply) => void; reject: (error: Error) => void } | undefined;

  constructor(url: string) {
    const { hostname, port, host } = new URL(url);
    this.#host = `HTTP/1.1\r\nhost: ${host}\r\n`;
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true).setEncoding('latin1');
    this.#socket.on('data', (chunk: string) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the connection was closed')));
  }

  get(path: string): Promise<HttpReply> {
    return this.#ask(`GET ${path} ${this.#host}\r\n`);
  }

  post(path: string, body: string): Promise<HttpReply> {
    const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return this.#ask(`POST ${path} ${this.#host}${head}${body}`);
  }

  close(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #ask(request: string): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  #take(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = /\ncontent-length: (\d+)/i.exec(this.#received.slice(0, headEnd))?.[1];
    const bodyStart = headEnd + 4;
    if (length === undefined) this.#fail(new Error('a reply without a length'));
    else if (this.#received.length >= bodyStart + Number(length)) {
      const status = Number(this.#received.slice(9, 12));
      const body = Buffer.from(this.#received.slice(bodyStart), 'latin1').toString('utf8');
      this.#received = '';
      const settle = this.#settle;
      this.#settle = undefined;
      settle?.resolve({ status, body });
    }
  }

  #fail(error: Error): void {
    this.#settle?.reject(error);
    this.#settle = undefined;
  }
}
