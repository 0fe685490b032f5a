/** What people do besides paying: they write, register, agree and seal, and an editor publishes pages. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from '../../lib/newcomers.ts';
import { acceptForm, documentForm } from '../agreements.ts';
import { signIn, SignInRefused, type Call, type Payer } from '../people.ts';
import type { Told } from '../told.ts';
import { drafter, leaver, pdfFile, sendOnce } from './papers.ts';
import { repeat } from './worker.ts';

const SEALED_MS = 120_000;

export type OtherLoad = {
  url: string;
  sandbox: string;
  owner: Payer;
  guest: Payer;
  admin: Call;
  told: Told;
};

/** Starts the load. @returns resolves when everybody has stopped, after `isOver` said so */
export function otherLoad(load: OtherLoad, isOver: () => boolean): () => Promise<void> {
  const { owner, guest, told } = load;
  const all = [
    repeat(told, isOver, writer(load, owner, guest)),
    repeat(told, isOver, writer(load, guest, owner)),
    repeat(told, isOver, joiner(load)),
    repeat(told, isOver, agreer(load, isOver)),
    repeat(told, isOver, editor(load)),
    repeat(told, isOver, drafter(load, isOver)),
    repeat(told, isOver, leaver(load)),
  ];
  return async () => void (await Promise.all(all));
}

type Task = (round: number) => Promise<void>;

/** Messages for each one that has a file. */
const PER_FILE = 6;

/** Writes messages, each under an id of its own, which is repeated with it; some with a file. */
function writer({ told }: OtherLoad, from: Payer, to: Payer): Task {
  return async (round) => {
    const content = `From ${from.charId}, number ${round}`;
    const message = {
      receiver_id: to.userId,
      content,
      client_message_id: `faults-${from.charId}-${round}`,
    };
    const withFile = round % PER_FILE === 0;
    const sent = withFile ? await messageForm(message) : message;
    const { status, body } = await from.call('POST', '/messaging/send', sent);
    if (status !== 201) throw new Error(`writing answered ${status} ${JSON.stringify(body)}`);
    told.messages.set(content, {
      ...{ id: String(body['message_id']), from: from.userId, to: to.userId, withFile },
    });
    await sleep(randomInt(50, 250));
  };
}

async function messageForm(fields: Record<string, string>): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('attachment', await pdfFile(String(fields['content'])), 'plan.pdf');
  return form;
}

/** Registers people, who sign in. */
function joiner({ url, sandbox, told }: OtherLoad): Task {
  return async (round) => {
    const name = `Newcomer ${round}`;
    const phone = `+9172${String(round).padStart(8, '0')}`;
    await register(url, name, phone);
    try {
      const person = await signIn(url, phone, sandbox);
      told.people.set(person.userId, name);
      told.tokens.push(person.headers['authorization'] ?? '');
    } catch (error) {
      // A code is taken once: one whose answer was lost leaves its owner to ask for another.
      if (!(error instanceof SignInRefused)) throw error;
    }
    await sleep(randomInt(500, 2_000));
  };
}

/** Creates an agreement under a name of its own, has it accepted, approves it and has it sealed. */
function agreer({ url, owner, guest, told }: OtherLoad, isOver: () => boolean): Task {
  const once = (who: Payer, key: string, path: string, form: FormData) =>
    sendOnce(url, who, key, ['POST', path], form);
  /** 409: the step had its effect already when its answer was lost. */
  const step = async (method: string, path: string, body?: unknown) => {
    const { status, body: said } = await owner.call(method, path, body);
    if (![200, 202, 409].includes(status))
      throw new Error(`${method} ${path} answered ${status} ${JSON.stringify(said)}`);
  };
  return async (round) => {
    const name = `Agreement ${round}`;
    const created = await once(owner, `create-${round}`, '/documents/create', await documentForm(name));
    const id = String(created['document_id']);
    told.created.set(name, id);
    await step('POST', '/documents/initiate-agreement', {
      document_id: id,
      target_user_char_id: guest.charId,
    });
    await once(guest, `accept-${round}`, `/documents/${id}/respond-agreement`, await acceptForm());
    await step('PUT', `/documents/${id}/approve/${owner.userId}`);
    await step('PATCH', `/documents/${id}/finalize`, new FormData());
    for (const until = Date.now() + SEALED_MS; !isOver();) {
      const { body } = await owner.call('GET', `/documents/${id}`);
      if (body['status'] === 'finalized') {
        told.sealed.add(id);
        break;
      }
      const job = body['finalization'] as { state: string; detail: string | null } | null;
      if (job?.state === 'failed') throw new Error(`sealing ${name} failed: ${job.detail ?? ''}`);
      if (Date.now() > until) throw new Error(`${name} was not sealed in ${SEALED_MS / 1_000} s`);
      await sleep(500);
    }
    await sleep(randomInt(500, 2_000));
  };
}

/** Publishes pages, each once. */
function editor({ admin, told }: OtherLoad): Task {
  return async (round) => {
    const slug = `faults-${round}`;
    const page = { slug, title: `Page ${round}`, content: `The text of page ${round}` };
    const answer = await admin('POST', '/cms/pages', page);
    // 409: published when its answer was lost.
    if (answer.status !== 201 && answer.status !== 409) throw new Error(`a page answered ${answer.status}`);
    told.pages.add(slug);
    await sleep(randomInt(300, 1_500));
  };
}
