/** People write, register, agree and seal, keep drafts and leave agreements; an editor publishes pages. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { textPdf } from '@karaar/testing/made-up/files';
import { acceptForm, blob, documentForm } from '../../lib/agreements.ts';
import {
  expectStatus,
  patientClient,
  register,
  signIn,
  SignInRefused,
  type Payer,
} from '../../lib/people.ts';
import type { World } from './money.ts';

const SEALED_MS = 120_000;
const CHECKED_MS = 120_000;
/** Messages for each one that has a file. */
const PER_FILE = 6;

type Task = (round: number) => Promise<void>;

/** Starts the load. @returns a promise for each person at work, which resolves after `isOver` said so */
export function otherLoad(world: World, isOver: () => boolean): Promise<void>[] {
  const { owner, guest, told } = world;
  const tasks: [task: Task, pauseMs: readonly [least: number, most: number]][] = [
    [writer(world, owner, guest), [50, 250]],
    [writer(world, guest, owner), [50, 250]],
    [joiner(world), [500, 2_000]],
    [agreer(world, isOver), [500, 2_000]],
    [editor(world), [300, 1_500]],
    [drafter(world, isOver), [300, 1_500]],
    [leaver(world), [500, 2_000]],
  ];
  return tasks.map(([task, pauseMs]) =>
    told.repeat(isOver, async (round) => {
      await task(round);
      await sleep(randomInt(...pauseMs));
    }),
  );
}

/** A call with a form that is repeated under one key, as the app does. @returns what it answered */
async function sendOnce(
  { url }: World,
  who: Payer,
  key: string,
  [method, path]: readonly ['POST' | 'PUT', string],
  form: FormData,
): Promise<Record<string, unknown>> {
  const call = patientClient(() => `${url}/api`, { ...who.headers, 'idempotency-key': key });
  const answer = await call(method, path, form);
  expectStatus(`${method} ${path}`, answer, 200, 201);
  return answer.body;
}

const formOf = (fields: Record<string, string>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

const pdfFile = async (text: string): Promise<Blob> => blob(await textPdf(text), 'application/pdf');

/** Waits until `isDone`. @throws Error when it takes longer than `ms` */
async function until(what: string, ms: number, isOver: () => boolean, isDone: () => Promise<boolean>) {
  for (const end = Date.now() + ms; !isOver() && !(await isDone()); await sleep(300))
    if (Date.now() > end) throw new Error(`${what} took longer than ${ms / 1_000} s`);
}

/** Writes messages, each under an id of its own, which is repeated with it; some with a file. */
function writer({ told }: World, from: Payer, to: Payer): Task {
  return async (round) => {
    const content = `From ${from.charId}, number ${round}`;
    const client_message_id = `faults-${from.charId}-${round}`;
    const message = { receiver_id: to.userId, content, client_message_id };
    const withFile = round % PER_FILE === 0;
    const form = formOf(message);
    if (withFile) form.append('attachment', await pdfFile(content), 'plan.pdf');
    const answer = await from.call('POST', '/messaging/send', withFile ? form : message);
    expectStatus('writing', answer, 201);
    const id = String(answer.body['message_id']);
    told.messages.set(content, { id, from: from.userId, to: to.userId, withFile });
  };
}

/** Registers people, who sign in. */
function joiner({ url, sandbox, told }: World): Task {
  return async (round) => {
    const name = `Newcomer ${round}`;
    const phone = `+9172${String(round).padStart(8, '0')}`;
    await register(url, name, phone);
    try {
      const person = await signIn(url, phone, sandbox);
      told.people.set(person.userId, name);
      told.tokens.push(person.headers.authorization);
    } catch (error) {
      // A code is taken once: when its answer was lost, its owner has to ask for another.
      if (!(error instanceof SignInRefused)) throw error;
    }
  };
}

/** Creates an agreement that the guest accepts. @returns its id */
async function accepted(world: World, key: string, name: string): Promise<string> {
  const { owner, guest, told } = world;
  const create = ['POST', '/documents/create'] as const;
  const created = await sendOnce(world, owner, `create-${key}`, create, await documentForm(name));
  const id = String(created['document_id']);
  told.created.set(name, id);
  const invited = await owner.call('POST', '/documents/initiate-agreement', {
    document_id: id,
    target_user_char_id: guest.charId,
  });
  // 409: invited when its answer was lost.
  expectStatus('inviting', invited, 200, 201, 202, 409);
  const respond = ['POST', `/documents/${id}/respond-agreement`] as const;
  await sendOnce(world, guest, `accept-${key}`, respond, await acceptForm());
  return id;
}

/** Creates an agreement under a name of its own, has it accepted, approves it and has it sealed. */
function agreer(world: World, isOver: () => boolean): Task {
  const { owner, told } = world;
  return async (round) => {
    const name = `Agreement ${round}`;
    const id = await accepted(world, String(round), name);
    // 409: the step had its effect already when its answer was lost.
    const approved = await owner.call('PUT', `/documents/${id}/approve/${owner.userId}`);
    expectStatus('approving', approved, 200, 202, 409);
    const finalized = await owner.call('PATCH', `/documents/${id}/finalize`, new FormData());
    expectStatus('finalizing', finalized, 200, 202, 409);
    await until(`sealing ${name}`, SEALED_MS, isOver, async () => {
      const { body } = await owner.call('GET', `/documents/${id}`);
      const job = body['finalization'] as { state: string; detail: string | null } | null;
      if (job?.state === 'failed') throw new Error(`sealing ${name} failed: ${job.detail ?? ''}`);
      if (body['status'] === 'finalized') told.sealed.add(id);
      return body['status'] === 'finalized';
    });
  };
}

/** Publishes pages, each once. */
function editor({ admin, told }: World): Task {
  return async (round) => {
    const slug = `faults-${round}`;
    const page = { slug, title: `Page ${round}`, content: `The text of page ${round}` };
    // 409: published when its answer was lost.
    expectStatus('a page', await admin('POST', '/cms/pages', page), 201, 409);
    told.pages.add(slug);
  };
}

/** Sends a file before its form, keeps a draft of it and changes that; every third file is thrown away instead. */
function drafter(world: World, isOver: () => boolean): Task {
  const { owner, told } = world;
  return async (round) => {
    const sent = new FormData();
    sent.append('file', await pdfFile(`Early file ${round}`), 'early.pdf');
    const answer = await owner.call('POST', '/documents/uploads', sent);
    expectStatus('an early file', answer, 201);
    const upload = String(answer.body['upload_id']);
    const path = `/documents/uploads/${upload}`;
    if (round % 3 === 2) {
      // 404: it is gone already, and the answer was lost.
      expectStatus('throwing a file away', await owner.call('DELETE', path), 200, 404);
      return;
    }
    await until('an early file', CHECKED_MS, isOver, async () => {
      const { body } = await owner.call('GET', path);
      if (body['state'] !== 'ready' && body['state'] !== 'checking')
        throw new Error(`an early file is ${JSON.stringify(body)}`);
      return body['state'] === 'ready';
    });
    const name = `Draft ${round}`;
    const form = formOf({ name, save_as_draft: 'true', uploads: JSON.stringify([upload]) });
    const created = await sendOnce(world, owner, `draft-${round}`, ['POST', '/documents/create'], form);
    const id = String(created['document_id']);
    told.drafts.set(id, name);
    const change = formOf({ name: `${name} changed` });
    await sendOnce(world, owner, `redraft-${round}`, ['PUT', `/documents/${id}`], change);
    told.drafts.set(id, `${name} changed`);
  };
}

/** Creates an agreement, which the guest accepts and leaves. */
function leaver(world: World): Task {
  return async (round) => {
    const id = await accepted(world, `left-${round}`, `Left ${round}`);
    const left = await world.guest.call('POST', `/documents/${id}/withdraw`, { reason: 'Moving away' });
    // 403 and 404: the guest is gone already, and the answer was lost.
    expectStatus('leaving', left, 200, 403, 404, 409);
    world.told.left.add(id);
  };
}
