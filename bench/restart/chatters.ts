/**
 * Pages with the app's own socket, which receive messages while the services behind it are replaced. Like the app, a page
 * reads the missed messages when the socket is up again, and polls while it is down.
 */
// eslint-disable-next-line @nx/enforce-module-boundaries -- the benchmark measures the code of pages, which works without a browser
import { createLiveClient } from '@karaar/api-client/live';
import { listIn } from '@karaar/testing/list-in';
import { io } from 'socket.io-client';
import { patientClient, type Call, type Payer } from '../lib/people.ts';

/** The poll interval while the socket is down, as in the app. */
const POLL_MS = 1_000;

type Message = { _id: string; seq: number; content: string; receiver_id: string };
type Known = { id: string; at: number; bySocket: boolean };

export class Page {
  /** The displayed messages by content. */
  readonly known = new Map<string, Known>();
  /** The number of contents that arrived as two messages. */
  doubled = 0;
  downs = 0;
  readonly #url: string;
  readonly #reader: Payer;
  readonly #writer: Payer;
  #lastSeq = 0;
  #reading = false;
  #again = false;
  #close: () => void = () => undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(url: string, reader: Payer, writer: Payer) {
    this.#url = url;
    this.#reader = reader;
    this.#writer = writer;
  }

  /** Resolves once the socket is up for the first time. */
  async open(): Promise<void> {
    const token = this.#reader.headers.authorization.slice('Bearer '.length);
    const live = createLiveClient(async () => ({
      io: ((options: object) => io(this.#url, options)) as typeof io,
    }));
    await new Promise<void>((resolve) => {
      live.on('message.new', ({ message }) => {
        if (message.receiver_id === this.#reader.userId) this.#note(message, true);
      });
      live.onState(() => {
        if (live.isUp()) {
          resolve();
          void this.catchUp();
        } else this.downs += 1;
      });
      this.#close = live.open({ token: () => token, onRefused: () => undefined });
    });
    this.#poll = setInterval(() => {
      if (!live.isUp()) void this.catchUp();
    }, POLL_MS);
  }

  /** Reads all messages after the last one before which none is missing. */
  async catchUp(): Promise<void> {
    this.#again = true;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#again) {
        this.#again = false;
        const path = `/messaging/conversations/${this.#writer.userId}?after=${this.#lastSeq}&limit=200&peek=true`;
        const page = listIn<Message>((await this.#reader.call('GET', path, undefined, [200])).body);
        for (const message of page) {
          if (message.receiver_id === this.#reader.userId) this.#note(message, false);
          this.#lastSeq = Math.max(this.#lastSeq, message.seq);
        }
        if (page.length === 200) this.#again = true;
      }
    } finally {
      this.#reading = false;
    }
  }

  close(): void {
    clearInterval(this.#poll);
    this.#close();
  }

  #note({ _id: id, content }: Pick<Message, '_id' | 'content'>, bySocket: boolean): void {
    const before = this.known.get(content);
    if (before === undefined) this.known.set(content, { id, at: performance.now(), bySocket });
    else if (before.id !== id) this.doubled += 1;
  }
}

/** Pairs of users with several pages each, and the messages between them. */
export class Chat {
  readonly pages: readonly Page[];
  /** The time of each message's answer, and its receiver's pages, by content. */
  readonly sent = new Map<string, { at: number; pages: readonly Page[] }>();
  readonly #pairs: readonly { write: Call; reader: Payer; pages: Page[] }[];

  constructor(url: string, people: readonly Payer[], pagesEach: number) {
    this.#pairs = people.map((writer, at) => {
      const reader = people[(at + 1) % people.length] ?? writer;
      const pages = Array.from({ length: pagesEach }, () => new Page(url, reader, writer));
      return { write: patientClient(() => `${url}/api`, writer.headers, 0), reader, pages };
    });
    this.pages = this.#pairs.flatMap(({ pages }) => pages);
  }

  /** Creates a conversation for each pair, and opens every page. */
  async open(): Promise<void> {
    for (let at = 0; at < this.#pairs.length; at += 1) await this.write(at);
    await Promise.all(this.pages.map((page) => page.open()));
  }

  /** Writes one message in a single attempt. @throws Error without an answer or for another status than 201 */
  async write(index: number): Promise<void> {
    const pair = this.#pairs[index % this.#pairs.length];
    if (pair === undefined) throw new Error('There are no users');
    const content = `Message ${index}`;
    const client_message_id = `restart-${index}`.padEnd(12, '.');
    const message = { receiver_id: pair.reader.userId, content, client_message_id };
    await pair.write('POST', '/messaging/send', message, [201]);
    this.sent.set(content, { at: performance.now(), pages: pair.pages });
  }

  findings(): { expected: number; lost: number; doubled: number; bySocket: number; waitedMs: number[] } {
    const found = { expected: 0, lost: 0, doubled: 0, bySocket: 0, waitedMs: [] as number[] };
    for (const [content, { at, pages }] of this.sent) {
      for (const page of pages) {
        found.expected += 1;
        const known = page.known.get(content);
        if (known === undefined) found.lost += 1;
        else {
          found.waitedMs.push(Math.max(0, known.at - at));
          if (known.bySocket) found.bySocket += 1;
        }
      }
    }
    for (const page of this.pages) found.doubled += page.doubled;
    found.waitedMs.sort((one, other) => one - other);
    return found;
  }

  close(): void {
    for (const page of this.pages) page.close();
  }
}
