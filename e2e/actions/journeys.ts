/** The journeys whose actions and waits are measured. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, NetworkConditions } from 'puppeteer-core';
import { countActions, type Step } from '../src/actions.ts';
import { agree, codeOf, createDocument, finalize, payAlone, share, topUp } from '../src/journey.ts';
import { PHONE, withScreen } from '../src/browser/opened.ts';
import { codeTo, newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';

export type Stage = {
  url: string;
  browser: Browser;
  /** Contains `rent_agreement.pdf`. */
  folder: string;
  owner: Person;
  guest: Person;
  /** The network and the slowness of the phone; undefined for one as fast as this machine. */
  phone: { network: NetworkConditions; slower: number } | undefined;
};

/** Opens a path as a user, waits for a text of the first screen, and acts. */
type Open = (
  path: string,
  as: Person | undefined,
  sees: string,
  act: (screen: Screen) => Promise<void>,
) => Promise<void>;

export type Journey = {
  name: string;
  /** The largest permitted number of actions. */
  aim: number;
  /** The longest permitted wait after an action if it is not 2.5 s, because an action loads a page or the camera's code. */
  waitMs?: number;
  /** Actions before the first screen, such as to scan a code. */
  already?: number;
  /** Prepares the data, then opens and acts. */
  walk: (stage: Stage, open: Open) => Promise<unknown>;
};

export type Measured = {
  actions: number;
  /** Until the first screen is readable, in a browser with an empty cache. */
  opensMs: number;
  /** From there to the end, with uploads and checks, but without time to think or type. */
  thenMs: number;
  steps: Step[];
};

/** Walks through a journey as fast as a script can. */
export async function measure(stage: Stage, { walk, already = 0 }: Journey): Promise<Measured> {
  const measured: Measured = { actions: already, opensMs: 0, thenMs: 0, steps: [] };
  await walk(stage, async (path, as, sees, act) => {
    const options = { path: '/robots.txt', viewport: PHONE, takesByItself: true, ...(as ? { as } : {}) };
    await withScreen(stage, options, async (opened) => {
      const { page } = opened;
      let sentBytes = 0;
      page.on('requestfinished', (request) => {
        sentBytes += Number(request.headers()['content-length'] ?? 0);
      });
      const network = stage.phone?.network ?? null;
      await page.emulateNetworkConditions(network);
      await page.emulateCPUThrottling(stage.phone?.slower ?? 1);
      const uploadMs = () => (network ? (sentBytes / (network.upload ?? Infinity)) * 1_000 : 0);
      const { screen, actions, steps } = countActions(opened, uploadMs);
      const begun = performance.now();
      await screen.goto(path);
      await screen.sees(sees, PATIENCE_MS);
      const seen = performance.now();
      await act(screen);
      measured.opensMs = seen - begun;
      measured.thenMs = performance.now() - seen;
      measured.actions += actions();
      measured.steps = steps();
    });
  });
  return measured;
}

/** A slow phone loads the whole app before the first screen. */
const PATIENCE_MS = 120_000;

/** Signs without Save, after the camera has taken both photos by itself. */
async function verify(screen: Screen): Promise<void> {
  // The wait for the camera ends here; it takes its time to find a steady face.
  await screen.sees(/Capture your (profile|eye) photo|Document Verification Required/);
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

async function sealed(stage: Stage): Promise<string> {
  const id = await agreed(stage);
  await topUp(stage.url, stage.owner, 7);
  await payAlone(stage.owner, id);
  await finalize(stage.owner, id);
  return id;
}

/** Opens an invitation's link signed out, and proves the number by its code. */
async function openInvitation(
  { url, owner }: Stage,
  open: Open,
  act: (screen: Screen) => Promise<void>,
): Promise<void> {
  const guest = await newPerson(url, 'Meera Nair');
  const id = await createDocument(owner);
  const asked = { contact: guest.phone.slice(3), send: false };
  const { body } = await owner.call('POST', `/documents/${id}/invitations`, asked, [201]);
  // The registration has used a code, and a number gets one every 30 seconds.
  await sleep(31_000);
  const path = String(body['link']).replace(/^https?:\/\/[^/]+/, '');
  await open(path, undefined, 'Send me a code', async (screen) => {
    await screen.press('Send me a code');
    await screen.sees('We have sent a 6-character code', PATIENCE_MS);
    await screen.fill('One-time code (OTP)', await codeTo(url, guest.phone));
    await screen.sees('Read and sign', PATIENCE_MS);
    await act(screen);
  });
}

async function decline(screen: Screen): Promise<void> {
  await screen.press('Reject');
  await screen.fill('Reason', 'The rent is too high');
  await screen.press('Reject agreement');
  await screen.sees('You rejected the agreement.', PATIENCE_MS);
}

export const JOURNEYS: readonly Journey[] = [
  {
    name: 'signed in → sent, one PDF, to a known person',
    aim: 8,
    walk: async (stage, open) => {
      const { owner, guest, folder } = stage;
      await agreed(stage);
      await open('/dashboard', owner, 'Create Document', async (screen) => {
        await screen.press('Create Document', 'link');
        await screen.upload('input[name=raw_documents]', [join(folder, 'rent_agreement.pdf')]);
        await screen.sees('1 page, ready', PATIENCE_MS);
        await screen.press('Continue');
        await screen.press(guest.name);
        await screen.press('Continue');
        await verify(screen);
        await screen.isAt(/^\/document\/[0-9a-f-]{36}$/);
        await screen.sees('rent agreement', PATIENCE_MS);
      });
    },
  },
  {
    name: 'link with a code → asked to join, signed in',
    aim: 3,
    waitMs: 5_000,
    walk: async ({ owner, guest }, open) => {
      const code = await codeOf(owner, await createDocument(owner));
      await open(`/join-document?code=${code}`, guest, 'Join Document', async (screen) => {
        await screen.press('Join Document');
        await verify(screen);
        await screen.sees(`You asked to join. Waiting for ${owner.name} to admit you.`, PATIENCE_MS);
      });
    },
  },
  {
    name: 'invited → read and signed, signed in',
    aim: 5,
    waitMs: 5_000,
    walk: async (stage, open) =>
      open(`/document/${await invited(stage)}`, stage.guest, 'Read and sign', async (screen) => {
        await screen.press('Read and sign');
        await verify(screen);
        await screen.sees(`Waiting for ${stage.owner.name}`, PATIENCE_MS);
      }),
  },
  {
    name: 'invitation link → read and signed, signed out',
    aim: 7,
    waitMs: 5_000,
    walk: (stage, open) =>
      openInvitation(stage, open, async (screen) => {
        await screen.press('Read and sign');
        await verify(screen);
        await screen.sees(`Waiting for ${stage.owner.name}`, PATIENCE_MS);
      }),
  },
  {
    name: 'decline with a reason, signed in',
    aim: 3,
    walk: async (stage, open) =>
      open(`/document/${await invited(stage)}`, stage.guest, 'Read and sign', decline),
  },
  {
    name: 'invitation link → declined with a reason, signed out',
    aim: 5,
    waitMs: 5_000,
    walk: (stage, open) => openInvitation(stage, open, decline),
  },
  {
    name: 'pay from the wallet',
    aim: 2,
    waitMs: 5_000,
    walk: async (stage, open) => {
      const id = await agreed(stage);
      await topUp(stage.url, stage.owner, 7);
      await open(`/document/${id}/payment`, stage.owner, 'Make Payment', async (screen) => {
        await screen.press('Make Payment');
        await screen.press('Pay ₹7');
        await screen.sees('Payment completed', PATIENCE_MS);
      });
    },
  },
  {
    name: 'pay without balance',
    aim: 3,
    waitMs: 10_000,
    walk: async ({ url, owner }, open) => {
      const guest = await newPerson(url, 'Ravi Kumar');
      const id = await createDocument(owner);
      await agree(owner, guest, id);
      await share(owner, id, [
        [owner, 30],
        [guest, 70],
      ]);
      await open(`/document/${id}`, guest, 'Pay ₹4.90', async (screen) => {
        await screen.press('Pay ₹4.90');
        await screen.press('Add ₹4.90 and pay');
        const loaded = screen.page.waitForNavigation({ timeout: PATIENCE_MS });
        await screen.pressInCheckout('Pay ₹4.90');
        await loaded;
        await screen.sees(`Waiting for ${owner.name} to seal`, PATIENCE_MS);
      });
    },
  },
  {
    name: 'notice of the seal → final PDF open',
    aim: 2,
    already: 1,
    walk: async (stage, open) =>
      open(`/document/${await sealed(stage)}`, stage.guest, 'Open Final PDF', async (screen) => {
        await screen.sees(/Page 1 of \d+/, PATIENCE_MS);
      }),
  },
  {
    name: 'a stranger verifies, by QR code',
    aim: 1,
    already: 1,
    walk: async (stage, open) => {
      const path = `/verify/${await codeOf(stage.owner, await sealed(stage))}`;
      await open(path, undefined, 'The document with this code is genuine', async () => undefined);
    },
  },
];
