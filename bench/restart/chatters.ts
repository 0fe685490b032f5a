// eslint-disable-next-line @nx/enforce-module-boundaries -- the benchmark measures the code of pages, which works without a browser
import { createLiveClient } from '@karaar/api-client/live';
import { listIn } from '@karaar/testing/list-in';
import { io } from 'socket.io-client';
import { patientClient, type Payer } from '../lib/people.ts';

/** The poll interval while the socket is down, as in the app. */
const POLL_MS = 1_000;
const LIMIT = 200;

type Message = { _id: string; seq: number; content: string; receiver_id: string };
export type Page = {
  /** The ids of the displayed messages by content. */
  known: Map<string, string>;
  /** The number of contents that arrived as two messages. */
  doubled: number;
  close: () => void;
};

/** Opens a page with the app's socket. It reads missed messages when the socket is up again, and polls while it is down. */
async function openPage(url: string, reader: Payer, writer: Payer): Promise<Page> {
  const page: Page = { known: new Map(), doubled: 0, close: () => undefined };
  const note = ({ _id: id, content, receiver_id }: Omit<Message, 'seq'>): void => {
    if (receiver_id !== reader.userId) return;
    const before = page.known.get(content);
    if (before === undefined) page.known.set(content, id);
    else if (before !== id) page.doubled += 1;
  };
  let lastSeq = 0;
  let isReading = false;
  let again = false;
  const catchUp = async (): Promise<void> => {
    again = true;
    if (isReading) return;
    isReading = true;
    try {
      while (again) {
        again = false;
        const path = `/messaging/conversations/${writer.userId}?after=${lastSeq}&limit=${LIMIT}&peek=true`;
        const messages = listIn<Message>((await reader.call('GET', path, undefined, [200])).body);
        for (const message of messages) {
          note(message);
          lastSeq = Math.max(lastSeq, message.seq);
        }
        if (messages.length === LIMIT) again = true;
      }
    } finally {
      isReading = false;
    }
  };
  const token = reader.headers.authorization.slice('Bearer '.length);
  const live = createLiveClient(async () => ({
    io: ((options: object) => io(url, options)) as typeof io,
  }));
  const poll = setInterval(() => {
    if (!live.isUp()) void catchUp();
  }, POLL_MS);
  await new Promise<void>((resolve) => {
    live.on('message.new', ({ message }) => note(message));
    live.onState(() => {
      if (!live.isUp()) return;
      resolve();
      void catchUp();
    });
    const close = live.open({ token: () => token, onRefused: () => undefined });
    page.close = () => {
      clearInterval(poll);
      close();
    };
  });
  return page;
}

export type Chat = {
  pages: readonly Page[];
  /** The pages of each answered message's receiver, by content. */
  sent: ReadonlyMap<string, readonly Page[]>;
  /** Writes one message in a single attempt. @throws Error without an answer or for another status than 201 */
  write: (index: number) => Promise<void>;
};

/** Creates a conversation for each pair of users, and opens the pages of each user. */
export async function openChat(url: string, people: readonly Payer[], pagesEach: number): Promise<Chat> {
  const sent = new Map<string, readonly Page[]>();
  const pairs = people.map((writer, at) => ({
    writer,
    reader: people[(at + 1) % people.length] ?? writer,
    call: patientClient(() => `${url}/api`, writer.headers, 0),
    pages: [] as Page[],
  }));
  const write = async (index: number): Promise<void> => {
    const pair = pairs[index % pairs.length];
    if (pair === undefined) throw new Error('A chat needs at least one user');
    const content = `Message ${index}`;
    const client_message_id = `restart-${index}`.padEnd(12, '.');
    const message = { receiver_id: pair.reader.userId, content, client_message_id };
    await pair.call('POST', '/messaging/send', message, [201]);
    sent.set(content, pair.pages);
  };
  for (const at of pairs.keys()) await write(at);
  await Promise.all(
    pairs.flatMap(({ reader, writer, pages }) =>
      Array.from({ length: pagesEach }, async () => pages.push(await openPage(url, reader, writer))),
    ),
  );
  return { pages: pairs.flatMap(({ pages }) => pages), sent, write };
}

/** Compares the sent messages with the pages. */
export function findingsOf({ pages, sent }: Chat) {
  const isShown = [...sent].flatMap(([content, own]) => own.map(({ known }) => known.has(content)));
  return {
    expected: isShown.length,
    lost: isShown.filter((one) => !one).length,
    doubled: pages.reduce((sum, page) => sum + page.doubled, 0),
  };
}
