/**
 * Users who write, register, agree and seal, keep drafts and leave agreements; an editor who publishes pages. A repeated
 * call may answer 403, 404 or 409 when the first answer was lost.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { textPdf } from '@karaar/testing/made-up/files';
import { acceptForm, blob, documentForm } from '../../lib/agreements.ts';
import { patientClient, register, signIn, SignInRefused, type Payer } from '../../lib/people.ts';
import type { World } from './money.ts';

const WAIT_MS = 120_000;
/** One message of so many has a file. */
const PER_FILE = 6;

type Task = (round: number) => Promise<void>;

/** Starts the load. @returns a promise for each user, which resolves after `isOver` returns true */
export function otherLoad(world: World): Promise<void>[] {
  const { owner, guest, outcomes, isOver } = world;
  const tasks: [task: Task, pauseMs: readonly [least: number, most: number]][] = [
    [writer(world, owner, guest), [50, 250]],
    [writer(world, guest, owner), [50, 250]],
    [joiner(world), [500, 2_000]],
    [agreer(world), [500, 2_000]],
    [editor(world), [300, 1_500]],
    [drafter(world), [300, 1_500]],
    [leaver(world), [500, 2_000]],
  ];
  return tasks.map(([task, pauseMs]) =>
    outcomes.repeat(isOver, async (round) => {
      await task(round);
      await sleep(randomInt(...pauseMs));
    }),
  );
}

/** Sends a form, which is repeated under one key as the app does. @returns the body of the answer */
async function sendOnce(
  { url }: World,
  who: Payer,
  key: string,
  [method, path]: readonly ['POST' | 'PUT', string],
  form: FormData,
): Promise<Record<string, unknown>> {
  const call = patientClient(() => `${url}/api`, { ...who.headers, 'idempotency-key': key });
  return (await call(method, path, form, [200, 201])).body;
}

const formOf = (fields: Record<string, string>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

const pdfFile = async (text: string): Promise<Blob> => blob(await textPdf(text), 'application/pdf');

/** Waits for a condition, or for the end of the run. @throws Error after two minutes */
async function until({ isOver }: World, what: string, isDone: () => Promise<boolean>) {
  for (const end = Date.now() + WAIT_MS; !isOver() && !(await isDone()); await sleep(300))
    if (Date.now() > end) throw new Error(`${what} took longer than ${WAIT_MS / 1_000} s`);
}

/** Writes messages, each with an id that makes it safe to repeat; some with a file. */
function writer({ outcomes }: World, from: Payer, to: Payer): Task {
  return async (round) => {
    const content = `From ${from.charId}, number ${round}`;
    const client_message_id = `faults-${from.charId}-${round}`;
    const message = { receiver_id: to.userId, content, client_message_id };
    const withFile = round % PER_FILE === 0;
    const form = formOf(message);
    if (withFile) form.append('attachment', await pdfFile(content), 'plan.pdf');
    const { body } = await from.call('POST', '/messaging/send', withFile ? form : message, [201]);
    outcomes.messages.set(content, {
      id: String(body['message_id']),
      from: from.userId,
      to: to.userId,
      withFile,
    });
  };
}

function joiner({ url, sandbox, outcomes }: World): Task {
  return async (round) => {
    const name = `Newcomer ${round}`;
    const phone = `+9172${String(round).padStart(8, '0')}`;
    await register(url, name, phone);
    try {
      const person = await signIn(url, phone, sandbox);
      outcomes.people.set(person.userId, name);
      outcomes.tokens.push(person.headers.authorization);
    } catch (error) {
      // A code is valid once: when the answer to it was lost, the user has to request another.
      if (!(error instanceof SignInRefused)) throw error;
    }
  };
}

/** Creates an agreement that the guest accepts. @returns its id */
async function accepted(world: World, key: string, name: string): Promise<string> {
  const { owner, guest, outcomes } = world;
  const create = ['POST', '/documents/create'] as const;
  const created = await sendOnce(world, owner, `create-${key}`, create, await documentForm(name));
  const id = String(created['document_id']);
  outcomes.created.set(name, id);
  const invitation = { document_id: id, target_user_char_id: guest.charId };
  await owner.call('POST', '/documents/initiate-agreement', invitation, [200, 201, 202, 409]);
  const respond = ['POST', `/documents/${id}/respond-agreement`] as const;
  await sendOnce(world, guest, `accept-${key}`, respond, await acceptForm());
  return id;
}

function agreer(world: World): Task {
  const { owner, outcomes } = world;
  return async (round) => {
    const name = `Agreement ${round}`;
    const id = await accepted(world, String(round), name);
    await owner.call('PUT', `/documents/${id}/approve/${owner.userId}`, undefined, [200, 202, 409]);
    await owner.call('PATCH', `/documents/${id}/finalize`, new FormData(), [200, 202, 409]);
    await until(world, `sealing ${name}`, async () => {
      const { body } = await owner.call('GET', `/documents/${id}`);
      const job = body['finalization'] as { state: string; detail: string | null } | null;
      if (job?.state === 'failed') throw new Error(`sealing ${name} failed: ${job.detail ?? ''}`);
      if (body['status'] === 'finalized') outcomes.sealed.add(id);
      return body['status'] === 'finalized';
    });
  };
}

function editor({ admin, outcomes }: World): Task {
  return async (round) => {
    const slug = `faults-${round}`;
    const page = { slug, title: `Page ${round}`, content: `The text of page ${round}` };
    await admin('POST', '/cms/pages', page, [201, 409]);
    outcomes.pages.add(slug);
  };
}

/** Uploads a file before its form, keeps a draft with it and changes the draft; deletes every third file instead. */
function drafter(world: World): Task {
  const { owner, outcomes } = world;
  return async (round) => {
    const file = new FormData();
    file.append('file', await pdfFile(`Early file ${round}`), 'early.pdf');
    const upload = String((await owner.call('POST', '/documents/uploads', file, [201])).body['upload_id']);
    const path = `/documents/uploads/${upload}`;
    if (round % 3 === 2) {
      await owner.call('DELETE', path, undefined, [200, 404]);
      return;
    }
    await until(world, 'an early file', async () => {
      const { body } = await owner.call('GET', path);
      if (body['state'] !== 'ready' && body['state'] !== 'checking')
        throw new Error(`an early file is ${JSON.stringify(body)}`);
      return body['state'] === 'ready';
    });
    const name = `Draft ${round}`;
    const form = formOf({ name, save_as_draft: 'true', uploads: JSON.stringify([upload]) });
    const created = await sendOnce(world, owner, `draft-${round}`, ['POST', '/documents/create'], form);
    const id = String(created['document_id']);
    outcomes.drafts.set(id, name);
    const change = formOf({ name: `${name} changed` });
    await sendOnce(world, owner, `redraft-${round}`, ['PUT', `/documents/${id}`], change);
    outcomes.drafts.set(id, `${name} changed`);
  };
}

function leaver(world: World): Task {
  return async (round) => {
    const id = await accepted(world, `left-${round}`, `Left ${round}`);
    const reason = { reason: 'Moving away' };
    await world.guest.call('POST', `/documents/${id}/withdraw`, reason, [200, 403, 404, 409]);
    world.outcomes.left.add(id);
  };
}
