/** Calls of people while processes are replaced: each once; anything but its proper answer counts as failed. */
import { faceImage, idCardPng } from '../faces/faces.ts';
import { Agent, FormData, request } from 'undici';

const LATE_MS = 10_000;

/** Some of every service that people wait for; what needs several calls follows below. */
const CALLS = [
  ['GET', '/documents/my-documents'],
  ['GET', '/wallet/balance'],
  ['GET', '/wallet/transactions'],
  ['GET', '/messaging/conversations'],
  ['GET', '/auth/sessions'],
  ['GET', '/cms/pages'],
  ['GET', '/payments/my-payments'],
  ['POST', '/wallet/create-razorpay-order', { amount: 10 }],
  ['GET', '/users/profile'],
  ['GET', '/documents/pending-agreements'],
  ['GET', '/messaging/unread-count'],
] as const;
/** One arrival of so many judges a photo; one of so many keeps a draft with a file and reads it again. */
const JUDGE_EVERY = 40;
const KEEP_EVERY = 25;

type Body = string | FormData;
type Caller = { headers: Record<string, string> };
type Connecting = Agent.Options['connect'];

export class Calls {
  readonly #url: string;
  readonly #person: Caller;
  readonly #agent: Agent;
  readonly #photo: Blob;
  readonly #picture: Buffer;
  /** The file that was kept before anything was replaced. */
  #first = '';
  #serial = 0;

  private constructor(url: string, person: Caller, photo: Uint8Array, picture: Buffer, connect: Connecting) {
    this.#url = url;
    this.#agent = new Agent({ connections: 64, ...(connect && { connect }) });
    this.#person = person;
    this.#photo = new Blob([new Uint8Array(photo)], { type: 'image/jpeg' });
    this.#picture = picture;
  }

  /** @param connect how its connections are made, where not by the address's own name */
  static async begin(url: string, person: Caller, connect?: Connecting): Promise<Calls> {
    const picture = Buffer.from(await idCardPng('PLAN'));
    const calls = new Calls(url, person, await faceImage(), picture, connect);
    calls.#first = await calls.#keep();
    return calls;
  }

  async nth(index: number): Promise<void> {
    if (index % JUDGE_EVERY === JUDGE_EVERY - 1) return this.#judge();
    if (index % KEEP_EVERY === KEEP_EVERY - 1) return this.#keepAndRead();
    const [method, path, body] = CALLS[index % CALLS.length] ?? CALLS[0];
    await this.#ask(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  async #judge(): Promise<void> {
    const form = new FormData();
    form.set('detect_type', 'faces');
    form.set('image', this.#photo, 'face.jpg');
    await this.#ask('POST', '/documents/verification/validate', form);
  }

  /** A new file and the oldest one: each is read by a link from an answer, maybe of another process. */
  async #keepAndRead(): Promise<void> {
    const kept = await this.#keep();
    await this.#read(kept);
    await this.#read(this.#first);
  }

  /** @returns the id of a new draft with a file; a document's file has a key of its own */
  async #keep(): Promise<string> {
    this.#serial += 1;
    const form = new FormData();
    form.set('save_as_draft', 'true');
    form.set('name', `Draft ${this.#serial}`);
    form.set('raw_documents', new Blob([new Uint8Array(this.#picture)], { type: 'image/png' }), 'plan.png');
    const { document_id } = JSON.parse(
      (await this.#ask('POST', '/documents/create', form)).toString(),
    ) as Record<string, string>;
    return String(document_id);
  }

  async #read(id: string): Promise<void> {
    const answer = await this.#ask('GET', `/documents/${id}`, undefined, '/documents/:id');
    const [link = ''] = (JSON.parse(answer.toString()) as { upload_raw_docs: string[] }).upload_raw_docs;
    const bytes = await this.#ask('GET', link.replace(/^\/api/, ''), undefined, '/files/documents');
    if (!bytes.equals(this.#picture)) throw new Error('a file came back with other content');
  }

  async #ask(method: 'GET' | 'POST', path: string, body?: Body, name: string = path): Promise<Buffer> {
    const { status, bytes } = await this.#send(method, path, body).catch((cause: unknown) => {
      throw new Error(`${method} ${name}: ${String(cause)}`, { cause });
    });
    if (status >= 300) throw new Error(`${method} ${name} ${status}: ${bytes.toString('utf8', 0, 200)}`);
    return bytes;
  }

  async #send(method: 'GET' | 'POST', path: string, body?: Body): Promise<{ status: number; bytes: Buffer }> {
    const answer = await request(`${this.#url}/api${path}`, {
      method,
      headers: {
        ...this.#person.headers,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body }),
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(LATE_MS),
    });
    return { status: answer.statusCode, bytes: Buffer.from(await answer.body.arrayBuffer()) };
  }
}
