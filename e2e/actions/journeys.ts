/** The journeys whose actions are counted: what a person does, and what tells that it is done. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'puppeteer-core';
import { countActions } from '../src/actions.ts';
import { codeTo } from '../src/browser/api-calls.ts';
import { agree, createDocument, finalize, payAlone, topUp } from '../src/journey.ts';
import { PHONE, withScreen } from '../src/browser/opened.ts';
import { newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { freshPhone } from '../src/signed-in.ts';

export type Stage = {
  url: string;
  browser: Browser;
  /** Has `rent_agreement.pdf`. */
  folder: string;
  owner: Person;
  guest: Person;
  /** Runs on each page before anything is opened on it: a slow phone. */
  prepare: (screen: Screen) => Promise<void>;
};

export type Journey = {
  name: string;
  /** Actions before the journeys were shortened, counted from the sources of that time; null where they were not counted. */
  before: number | null;
  /** At most so many now. */
  aim: number;
  /** Makes what is needed, and answers where the person begins and what the person does. */
  begin: (stage: Stage) => Promise<Walk>;
};

type Walk = {
  path: string;
  as?: Person;
  /** Of the first screen, from which on the person can act. */
  sees: string;
  act: (screen: Screen, stage: Stage) => Promise<void>;
  /** What the person did before the first screen: a code scanned, say. */
  already?: number;
};

export type Measured = {
  actions: number;
  /** Until the first screen can be read, on a browser that has nothing of Karaar. */
  opensMs: number;
  /** From there to the end, with uploads and checks; nobody thinks or types slowly. */
  thenMs: number;
};

/** Walks through a journey as fast as a script can. */
export async function measure(stage: Stage, journey: Journey): Promise<Measured> {
  const walk = await journey.begin(stage);
  const measured: Measured = { actions: 0, opensMs: 0, thenMs: 0 };
  const options = { path: '/robots.txt', viewport: PHONE, takesByItself: true };
  await withScreen(stage, { ...options, ...(walk.as ? { as: walk.as } : {}) }, async (opened) => {
    await stage.prepare(opened);
    const { screen, actions } = countActions(opened);
    const begun = performance.now();
    await screen.goto(walk.path);
    await screen.sees(walk.sees, PATIENCE_MS);
    const seen = performance.now();
    await walk.act(screen, stage);
    measured.opensMs = seen - begun;
    measured.thenMs = performance.now() - seen;
    measured.actions = actions() + (walk.already ?? 0);
  });
  return measured;
}

/** A slow phone loads the whole app before the first screen. */
const PATIENCE_MS = 120_000;

/** Both photos are taken by the camera itself; the signature is drawn and handed in without Save. */
async function verify(screen: Screen): Promise<void> {
  await screen.sees('Document Verification Required', PATIENCE_MS);
  await screen.sign();
  await screen.sees(/signature\.png · \d+\.\d+ MB/, PATIENCE_MS);
  await screen.press('Complete Verification');
}

async function invited({ owner, guest }: Stage): Promise<string> {
  const id = await createDocument(owner);
  await owner.call('POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
  return id;
}

async function agreed({ owner, guest }: Stage): Promise<string> {
  const id = await createDocument(owner);
  await agree(owner, guest, id);
  return id;
}

export const JOURNEYS: readonly Journey[] = [
  {
    name: 'signed in → sent, one PDF, to a known person',
    before: 13,
    aim: 8,
    begin: async (stage) => {
      await agreed(stage);
      return {
        path: '/dashboard',
        as: stage.owner,
        sees: 'Create Document',
        act: async (screen, { folder, guest }) => {
          await screen.press('Create Document', 'link');
          await screen.upload('input[name=raw_documents]', [join(folder, 'rent_agreement.pdf')]);
          await screen.sees('1 page, ready', PATIENCE_MS);
          await screen.press('Continue');
          await screen.press(guest.name);
          await screen.press('Continue');
          await verify(screen);
          await screen.isAt(/^\/document\/[0-9a-f-]{36}$/);
          await screen.sees('rent agreement', PATIENCE_MS);
        },
      };
    },
  },
  {
    name: 'link with a code → asked to join, signed in',
    before: 9,
    aim: 3,
    begin: async ({ owner, guest }) => {
      const id = await createDocument(owner);
      const { body } = await owner.call('GET', `/documents/${id}`);
      return {
        path: `/join-document?code=${String(body['document_code'])}`,
        as: guest,
        sees: 'Join Document',
        act: async (screen) => {
          await screen.press('Join Document');
          await verify(screen);
          await screen.sees(`You asked to join. Waiting for ${owner.name} to let you in.`, PATIENCE_MS);
        },
      };
    },
  },
  {
    name: 'invited → read and signed, signed in',
    before: null,
    aim: 5,
    begin: async (stage) => ({
      path: `/document/${await invited(stage)}`,
      as: stage.guest,
      sees: 'Read and sign',
      act: async (screen) => {
        await screen.press('Read and sign');
        await verify(screen);
        await screen.sees(`Waiting for ${stage.owner.name}`, PATIENCE_MS);
      },
    }),
  },
  {
    name: 'invitation link → read and signed, signed out',
    before: 13,
    aim: 7,
    begin: async ({ url, owner }) => {
      const guest = await newPerson(url, 'Meera Nair', freshPhone());
      const id = await createDocument(owner);
      const asked = { contact: guest.phone.slice(3), send: false };
      const { body } = await owner.call('POST', `/documents/${id}/invitations`, asked, [201]);
      // The guest had a code to register, and a number gets one every 30 seconds.
      await sleep(31_000);
      return {
        path: String(body['link']).replace(/^https?:\/\/[^/]+/, ''),
        sees: 'Send me a code',
        act: async (screen) => {
          await screen.press('Send me a code');
          await screen.sees('We have sent a 6-character code', PATIENCE_MS);
          await screen.fill('One-time code (OTP)', await codeTo(url, guest.phone));
          await screen.sees('Read and sign', PATIENCE_MS);
          await screen.press('Read and sign');
          await verify(screen);
          await screen.sees(`Waiting for ${owner.name}`, PATIENCE_MS);
        },
      };
    },
  },
  {
    name: 'decline with a reason, signed in',
    before: 8,
    aim: 3,
    begin: async (stage) => ({
      path: `/document/${await invited(stage)}`,
      as: stage.guest,
      sees: 'Read and sign',
      act: async (screen) => {
        await screen.press('Reject');
        await screen.fill('Reason', 'The rent is too high');
        await screen.press('Reject agreement');
        await screen.sees('You rejected the agreement.', PATIENCE_MS);
      },
    }),
  },
  {
    name: 'pay from the wallet',
    before: 2,
    aim: 2,
    begin: async (stage) => {
      const id = await agreed(stage);
      await topUp(stage.url, stage.owner, 7);
      return {
        path: `/document/${id}/payment`,
        as: stage.owner,
        sees: 'Make Payment',
        act: async (screen) => {
          await screen.press('Make Payment');
          await screen.press('Pay ₹7');
          await screen.sees('Payment completed', PATIENCE_MS);
        },
      };
    },
  },
  {
    name: 'pay without balance',
    before: 9,
    aim: 3,
    begin: async ({ url, owner }) => {
      // A wallet that has never held anything.
      const guest = await newPerson(url, 'Ravi Kumar', freshPhone());
      const id = await createDocument(owner);
      await agree(owner, guest, id);
      const shares = [
        { user_id: owner.userId, percentage: 30 },
        { user_id: guest.userId, percentage: 70 },
      ];
      await owner.call('POST', `/payments/document/${id}/setup-distribution`, {
        document_id: id,
        payment_distributions: shares,
      });
      return {
        path: `/document/${id}`,
        as: guest,
        sees: 'Pay ₹4.90',
        act: async (screen) => {
          await screen.press('Pay ₹4.90');
          await screen.press('Add ₹4.90 and pay');
          const loaded = screen.page.waitForNavigation({ timeout: PATIENCE_MS });
          await screen.pressInCheckout('Pay ₹4.90');
          await loaded;
          await screen.sees(`Waiting for ${owner.name} to seal`, PATIENCE_MS);
        },
      };
    },
  },
  {
    name: 'a stranger verifies, by QR code',
    before: 1,
    aim: 1,
    begin: async (stage) => {
      const { owner } = stage;
      const id = await agreed(stage);
      await topUp(stage.url, owner, 7);
      await payAlone(owner, id);
      await finalize(owner, id);
      const { body } = await owner.call('GET', `/documents/${id}`);
      return {
        path: `/verify/${String(body['document_code'])}`,
        sees: 'The document with this code is genuine',
        act: async () => undefined,
        already: 1,
      };
    },
  },
];
