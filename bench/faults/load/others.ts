/** The users of all features but money. A repeated call may answer 403, 404 or 409 when the first answer was lost. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { accept, agree, eventually, invite, sealing } from '@karaar/e2e/src/journey.ts';
import {
  part,
  register,
  signIn,
  SignInRefused,
  toForm,
  type Part,
  type Person,
} from '@karaar/e2e/src/person.ts';
import { textPdf } from '@karaar/testing/made-up/files';
import { createAgreement } from '../../lib/agreements.ts';
import { HURRIED } from '../../lib/people.ts';
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

const pdfFile = async (text: string, name: string): Promise<Part> =>
  part(await textPdf(text), 'application/pdf', name);

/** Writes messages, each with an id that makes it safe to repeat; some with a file. */
function writer({ outcomes }: World, from: Person, to: Person): Task {
  return async (round) => {
    const content = `From ${from.charId}, number ${round}`;
    const client_message_id = `faults-${from.charId}-${round}`;
    const message = { receiver_id: to.userId, content, client_message_id };
    const withFile = round % PER_FILE === 0;
    const sent = withFile ? toForm({ ...message, attachment: await pdfFile(content, 'plan.pdf') }) : message;
    const { body } = await from.call('POST', '/messaging/send', sent, [201]);
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
    await register(url, name, phone, HURRIED);
    try {
      const person = await signIn(url, name, phone, { inbox: sandbox, patience: HURRIED });
      outcomes.people.set(person.userId, name);
      outcomes.tokens.push(person.token);
    } catch (error) {
      // A code is valid once: when the answer to it was lost, the user has to request another.
      if (!(error instanceof SignInRefused)) throw error;
    }
  };
}

function agreer({ owner, guest, outcomes, isOver }: World): Task {
  return async (round) => {
    const name = `Agreement ${round}`;
    const id = await createAgreement(owner, name);
    outcomes.created.set(name, id);
    await agree(owner, guest, id);
    const isSealed = await sealing(owner, id);
    const isDone = async () => {
      if (!(await isSealed())) return isOver();
      outcomes.sealed.add(id);
      return true;
    };
    await eventually(`sealing ${name}`, isDone, { ms: WAIT_MS });
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
function drafter({ owner, outcomes }: World): Task {
  return async (round) => {
    const file = await pdfFile(`Early file ${round}`, 'early.pdf');
    const upload = String((await owner.send('/documents/uploads', { file })).body['upload_id']);
    const path = `/documents/uploads/${upload}`;
    if (round % 3 === 2) {
      await owner.call('DELETE', path, undefined, [200, 404]);
      return;
    }
    const isReady = async () => {
      const { body } = await owner.call('GET', path);
      if (body['state'] !== 'ready' && body['state'] !== 'checking')
        throw new Error(`an early file is ${JSON.stringify(body)}`);
      return body['state'] === 'ready';
    };
    await eventually('an early file', isReady, { ms: WAIT_MS });
    const name = `Draft ${round}`;
    const fields = { name, save_as_draft: 'true', uploads: JSON.stringify([upload]) };
    const created = await owner.send('/documents/create', fields);
    const id = String(created.body['document_id']);
    outcomes.drafts.set(id, name);
    const changed = `${name} changed`;
    await owner.send(`/documents/${id}`, { name: changed }, { method: 'PUT' });
    outcomes.drafts.set(id, changed);
  };
}

function leaver({ owner, guest, outcomes }: World): Task {
  return async (round) => {
    const name = `Left ${round}`;
    const id = await createAgreement(owner, name);
    outcomes.created.set(name, id);
    await invite(owner, guest, id, [200, 201, 202, 409]);
    await accept(guest, id);
    const reason = { reason: 'Moving away' };
    await guest.call('POST', `/documents/${id}/withdraw`, reason, [200, 403, 404, 409]);
    outcomes.left.add(id);
  };
}
