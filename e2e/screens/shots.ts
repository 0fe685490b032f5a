import { randomInt } from 'node:crypto';
import { screenRoutes } from '@karaar/contracts/screens';
import type { Page } from 'puppeteer-core';
import type { World } from './world.ts';

/** Brings a screen into a state. */
export type Hand = {
  page: Page;
  /** Presses the button, link or tab with a text of a catalog. */
  press: (catalog: string, key: string) => Promise<void>;
  type: (at: number, text: string) => Promise<void>;
};

export type Visitor = 'guest' | 'asha' | 'vikram' | 'ravi' | 'admin';

export type Shot = {
  /** The pattern in the route table. */
  route: string;
  state?: string;
  as: Visitor;
  /** Returns the path, with ids from the world; the default is the route. */
  path?: (world: World) => string;
  prepare?: (hand: Hand) => Promise<void>;
  /** Requests that fail: `GET /documents/my-documents`. */
  failing?: string;
  /** Takes a picture of the window instead of the whole page. */
  dialog?: boolean;
  widths?: readonly number[];
};

const feature = (name: string) => `user-mfe/features/${name}`;
const shared = (name: string) => `user-mfe/shared/catalogs/${name}`;
const pressing = (catalog: string, key: string) => ({ prepare: ({ press }: Hand) => press(catalog, key) });
/** Presses a button of the document page that opens a dialog, and waits for its text field. */
const withTextarea = (catalog: string, key: string) => ({
  dialog: true,
  prepare: async ({ page, press }: Hand) => {
    await press(catalog, key);
    await page.waitForSelector('[role=dialog] textarea', { visible: true });
  },
});

const page = (route: string, as: Visitor, more: Partial<Shot> = {}): Shot => ({ route, as, ...more });
const dialog = (route: string, as: Visitor, state: string, more: Partial<Shot>): Shot =>
  page(route, as, { state, dialog: true, ...more });
const detail = (document: keyof World['documents'], more: Partial<Shot> = {}): Shot =>
  page('/document/:id', 'asha', {
    state: document,
    path: ({ documents }) => `/document/${documents[document]}`,
    ...more,
  });
/** A thread scrolls inside the window. */
const thread = (more: Partial<Shot> = {}): Shot =>
  page('/chat/:userId', 'asha', { path: ({ vikram }) => `/chat/${vikram.userId}`, dialog: true, ...more });

const statics = ['/about', '/contact', '/terms', '/privacy'];
const admin = screenRoutes.filter(({ access, path }) => access === 'admin' && !path.includes(':'));

/** All pictures. The test next to this file fails for a route without one. */
export const shots: readonly Shot[] = [
  page('/login', 'guest'),
  page('/login', 'guest', {
    state: 'code-sent',
    prepare: async ({ type, press }) => {
      // A phone can request a code only every 30 seconds, and each language requests one.
      await type(0, `6${String(randomInt(1e9)).padStart(9, '0')}`);
      await press(feature('auth'), 'sendOtp');
    },
  }),
  page('/register', 'guest'),
  page('/camera', 'guest'),
  page('/welcome', 'guest'),
  page('/welcome', 'asha', { state: 'signed-in' }),
  page('/welcome/help', 'guest'),
  ...statics.map((path) => page(`/welcome${path}`, 'guest')),
  page('/invitation', 'guest', { path: ({ invitationPath }) => invitationPath }),
  page('/invitation/stop', 'guest', { state: 'incomplete' }),
  page('/verify', 'guest'),
  page('/verify/:code', 'guest', { path: ({ sealedCode }) => `/verify/${sealedCode}` }),

  page('/dashboard', 'asha'),
  page('/dashboard', 'ravi', { state: 'empty' }),
  page('/dashboard', 'asha', { state: 'error', failing: 'GET /documents/my-documents' }),
  page('/dashboard', 'asha', {
    state: 'offline',
    prepare: async ({ page: open }) => open.setOfflineMode(true),
  }),
  dialog('/dashboard', 'asha', 'pending-agreements', pressing(shared('dashboard'), 'pending')),
  dialog('/dashboard', 'asha', 'read-before-accepting', {
    prepare: async ({ page: open, press }) => {
      await press(shared('dashboard'), 'pending');
      // In Hindi the word for "reject" ends with the word for "accept".
      const accept = '[role=dialog] li > :last-child > button:last-of-type';
      await (await open.waitForSelector(accept, { visible: true }))?.click();
      await open.waitForSelector('[data-reading] canvas');
    },
  }),
  dialog('/dashboard', 'asha', 'menu', {
    widths: [390],
    prepare: async ({ page: open }) => {
      await open.click('header button[aria-expanded]');
      await open.waitForSelector('[role=dialog] nav', { visible: true });
    },
  }),

  page('/document/create', 'asha'),
  ...(['people', 'terms', 'sign'] as const).map((step) =>
    page('/document/create', 'asha', { state: step, path: () => `/document/create?step=${step}` }),
  ),
  page('/document/join', 'asha'),
  dialog('/document/join', 'ravi', 'capture', {
    path: ({ openCode }) => `/join-document?code=${openCode}`,
    prepare: async ({ page: open, press }) => {
      await press(feature('join'), 'submit');
      await press(feature('verification'), 'captureNow');
      await open.waitForSelector('[role=dialog] input[name=device-photo]');
    },
  }),

  detail('pending'),
  detail('approved'),
  detail('finalized'),
  detail('rejected'),
  detail('invitation'),
  detail('admitted', { prepare: async ({ page: open }) => void (await open.waitForSelector('canvas')) }),
  detail('admitted', { state: 'reject', ...withTextarea(shared('detail'), 'rejectAgreement') }),
  detail('approved', { state: 'withdraw', as: 'vikram', ...withTextarea(shared('detail'), 'withdraw') }),
  ...(
    [
      ['approved', 'verify-again', 'vikram', 'verifyAgain'],
      ['admitted', 'manage-admitted', 'vikram', 'manageUsers'],
      ['pending', 'manage', 'asha', 'manageUsers'],
      ['pending', 'verify', 'vikram', 'verifyApprove'],
    ] as const
  ).map(([document, state, as, key]) =>
    detail(document, { state, as, dialog: true, ...pressing(shared('detail'), key) }),
  ),
  detail('pending', { state: 'stranger', as: 'ravi' }),
  detail('pending', { state: 'error', failing: 'GET /documents/' }),
  page('/document/:id/payment', 'asha', {
    path: ({ documents }) => `/document/${documents.approved}/payment`,
  }),
  page('/document/:id/payment', 'asha', {
    state: 'paid',
    path: ({ documents }) => `/document/${documents.finalized}/payment`,
  }),

  page('/profile', 'asha'),
  page('/profile', 'asha', { state: 'edit', ...pressing(shared('profile'), 'edit') }),
  page('/wallet', 'asha'),
  page('/wallet', 'ravi', { state: 'empty' }),
  dialog('/wallet', 'asha', 'add-funds', pressing(feature('wallet'), 'addFunds')),
  page('/chat', 'asha'),
  page('/chat', 'ravi', { state: 'empty' }),
  page('/chat', 'asha', { state: 'error', failing: 'GET /messaging/conversations' }),
  dialog('/chat', 'asha', 'new', pressing(feature('chat'), 'startNew')),
  thread(),
  thread({ state: 'first-word', as: 'ravi' }),
  thread({ state: 'unknown', path: () => '/chat/00000000-0000-7000-8000-000000000000' }),
  thread({ state: 'error', failing: 'GET /messaging/conversations/' }),
  page('/pricing', 'asha'),
  page('/notifications', 'asha'),
  page('/notifications/settings', 'asha'),
  ...statics.map((route) => page(route, 'asha')),

  page('/admin/login', 'guest'),
  ...admin.map(({ path }) => page(path, 'admin')),
  page('/admin/documents/:id', 'admin', {
    path: ({ documents }) => `/admin/documents/${documents.approved}`,
  }),
  page('/admin/reports', 'admin', { state: 'close', ...withTextarea('admin-mfe/features/reports', 'close') }),
  page('/admin/reports', 'admin', { state: 'error', failing: 'GET /admin/reports' }),
];

/** Returns the start of a picture's file name: `document-id-payment-paid`. */
export function shotName({ route, state }: Shot): string {
  const words = route.replaceAll(':', '').toLowerCase().split('/').filter(Boolean);
  return [...words, ...(state ? [state] : [])].join('-');
}
